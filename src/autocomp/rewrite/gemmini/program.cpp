// See program.hpp.

#include "program.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

std::uint32_t Expressions::add(Node node) {
  for (const std::uint32_t part : node.parts)
    if (part >= nodes.size()) throw std::out_of_range("there is no such expression");
  nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(nodes.size() - 1);
}

std::uint32_t Expressions::sum(std::int64_t value, std::vector<std::uint32_t> parts,
                               std::vector<std::int64_t> factors) {
  if (parts.size() != factors.size()) throw std::invalid_argument("every part of a sum needs a factor");
  return add({Node::kSum, kMultiplyAdd, value, std::move(parts), std::move(factors)});
}

std::uint32_t Expressions::operation(std::uint8_t number, std::vector<std::uint32_t> parts) {
  const std::size_t wanted = number == kChoose ? 3 : number == kNot || number == kComplement ? 1 : 2;
  if (number < kMultiply || number > kChoose || parts.size() != wanted)
    throw std::invalid_argument("there is no such operator with so many parts");
  return add({Node::kOperation, static_cast<Operator>(number), 0, std::move(parts), {}});
}

Program Compiler::program() {
  open_.push_back({begin(), 0});
  program_.limit = limit_;
  if (body(0, 0) > limit_) program_.outcome = kTooMany;
  if (!program_.loops.empty() && program_.loops.size() != program_.commands.size()) program_.outcome = kMixed;
  if (position_ != tokens_.size()) throw std::invalid_argument("a block ends that did not begin");
  return std::move(program_);
}

std::int64_t Compiler::next() {
  if (position_ == tokens_.size()) throw std::out_of_range("a program ends too early");
  return tokens_[position_++];
}

std::uint32_t Compiler::begin() {
  program_.blocks.emplace_back();
  active_.push_back(true);
  return static_cast<std::uint32_t>(program_.blocks.size() - 1);
}

// Statements up to the end of a block or its else; the number of commands that they may run.
std::int64_t Compiler::body(std::uint32_t block, std::int32_t level) {
  std::int64_t total = 0;
  const auto nested = [&](std::int32_t inner, std::uint32_t& number) {
    number = begin();
    open_.push_back({number, inner});
    const std::int64_t count = body(number, inner);
    open_.pop_back();
    active_[number] = false;
    return count;
  };
  while (position_ < tokens_.size() && tokens_[position_] != 0 && tokens_[position_] != 3) {
    const std::int64_t token = next();
    Item item{Item::kCommand, 0};
    if (token == 1) {
      item.kind = Item::kLoop;
      const std::uint32_t variable = node(next());
      item.count = next();
      item.slot = fresh(0);
      places_[variable] = {level + 1, static_cast<std::int32_t>(program_.blocks.size()), item.slot};
      const std::int64_t inside = nested(level + 1, item.number);
      next();
      if (inside == 0) item.count = std::min<std::int64_t>(item.count, 1);  // settings are the same on every turn
      if (program_.blocks[item.number].items.empty()) continue;
      total += item.count > limit_ ? limit_ + 1 : std::min(inside * item.count, limit_ + 1);
      program_.blocks[block].items.push_back(item);
    } else if (token == 2) {
      item.kind = Item::kIf;
      item.slot = slot(node(next()));
      total += nested(level, item.number);
      if (next() == 3) {
        total += nested(level, item.other);
        next();
      }
      program_.blocks[block].items.push_back(item);
    } else if (token == 4) {
      command(block);
      ++total;
    } else if (token == 5) {
      const std::int64_t state = next(), stride = next(), apart = next(), salt = next();
      if (state < 0 || state > 2) throw std::out_of_range("there is no such load state");
      program_.blocks[block].items.push_back(
          {Item::kSetting, static_cast<std::uint32_t>(program_.settings.size())});
      program_.settings.push_back({state, stride, apart, salt});
    } else {
      throw std::invalid_argument("there is no such token");
    }
    total = std::min(total, limit_ + 1);
  }
  return total;
}

void Compiler::command(std::uint32_t block) {
  Instruction made;
  made.kind = static_cast<std::int8_t>(next());
  made.memory = static_cast<std::int8_t>(next());
  made.arguments = static_cast<std::int8_t>(next());
  made.statement = static_cast<std::int32_t>(program_.commands.size());
  if (made.kind == kHardwareLoop) {
    LoopSlots slots{};
    if (made.arguments != static_cast<int>(slots.size()))
      throw std::invalid_argument("a hardware loop has 23 arguments");
    for (std::uint32_t& argument : slots) argument = slot(node(next()));
    made.slots[0] = static_cast<std::uint32_t>(program_.loops.size());
    program_.loops.push_back(slots);
  } else {
    if (made.arguments < 2 || made.arguments > 6) throw std::invalid_argument("a command has two to six arguments");
    for (int index = 0; index < made.arguments; ++index) made.slots[index] = slot(node(next()));
  }
  program_.blocks[block].items.push_back({Item::kCommand, static_cast<std::uint32_t>(made.statement)});
  program_.commands.push_back(made);
}

std::uint32_t Compiler::node(std::int64_t number) const {
  if (number < 0 || static_cast<std::size_t>(number) >= nodes_.size())
    throw std::out_of_range("there is no such expression");
  return static_cast<std::uint32_t>(number);
}

std::int32_t Compiler::level(std::uint32_t number) {
  Place& place = places_[number];
  if (place.level >= 0) return place.level;
  const Expressions::Node& node = nodes_[number];
  if (node.kind == Expressions::Node::kVariable) throw std::invalid_argument("a variable stands outside its loop");
  std::int32_t deepest = 0;
  for (const std::uint32_t part : node.parts) deepest = std::max(deepest, level(part));
  return place.level = deepest;
}

// The innermost open block in which everything of a level is known.
const Compiler::Open& Compiler::home(std::int32_t level) const {
  for (auto open = open_.rbegin(); open != open_.rend(); ++open)
    if (open->level <= level) return *open;
  return open_.front();
}

std::uint32_t Compiler::fresh(std::int64_t value) {
  program_.values.push_back(value);
  return static_cast<std::uint32_t>(program_.values.size() - 1);
}

std::uint32_t Compiler::slot(std::uint32_t number) {
  const Expressions::Node& node = nodes_[number];
  Place& place = places_[number];
  if (place.block >= 0 && active_[place.block]) return place.slot;
  if (node.kind == Expressions::Node::kConstant) {
    place = {0, 0, fresh(node.value)};
    return place.slot;
  }
  const std::int32_t depth = level(number);
  if (depth >= 0 && open_.back().level < depth) throw std::invalid_argument("a variable stands outside its loop");
  if (node.kind == Expressions::Node::kVariable) throw std::invalid_argument("a variable stands outside its loop");
  std::uint32_t result = 0;
  if (node.kind == Expressions::Node::kSum) {
    result = summed(node);
  } else {
    std::array<std::uint32_t, 3> parts{};
    for (std::size_t index = 0; index < node.parts.size(); ++index) parts[index] = slot(node.parts[index]);
    result = fresh(0);
    program_.blocks[home(depth).block].steps.push_back({node.what, result, parts[0], parts[1], parts[2], 0});
  }
  place.block = static_cast<std::int32_t>(home(depth).block);
  return place.slot = result;
}

// Parts of outer loops first, so that only the last additions are made in the innermost one.
std::uint32_t Compiler::summed(const Expressions::Node& node) {
  std::vector<std::pair<std::int32_t, std::size_t>> order;
  for (std::size_t index = 0; index < node.parts.size(); ++index) order.push_back({level(node.parts[index]), index});
  std::stable_sort(order.begin(), order.end(), [](const auto& one, const auto& two) { return one.first < two.first; });
  std::uint32_t total = fresh(node.value);
  for (const auto& [depth, index] : order) {
    const std::uint32_t part = slot(node.parts[index]), to = fresh(0);
    program_.blocks[home(depth).block].steps.push_back({kMultiplyAdd, to, part, total, 0, node.factors[index]});
    total = to;
  }
  return total;
}
