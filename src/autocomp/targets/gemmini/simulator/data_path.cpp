#include "data_path.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "arithmetic.hpp"
#include "matrix_product.hpp"

namespace autocomp::gemmini {

namespace {

template <typename Arithmetic>
class TypedDataPath final : public DataPath {
  using Element = typename Arithmetic::Element;
  using Sum = typename Arithmetic::Sum;
  static constexpr bool kNormalizes = std::is_same_v<Sum, std::int32_t>;

 public:
  explicit TypedDataPath(const Config& config)
      : dim_(config.dim),
        sum_bits_(static_cast<int>(config.spatial_output_bits)),
        scratchpad_("scratchpad", config.scratchpad_rows(), config.dim),
        accumulator_("accumulator", config.accumulator_rows(), config.dim),
        next_(dim_ * dim_),
        array_(dim_ * dim_),
        a_(dim_ * dim_),
        b_(dim_ * dim_),
        result_(dim_ * dim_),
        elements_(dim_),
        sums_(dim_) {}

  const LocalRows& scratchpad() const override { return scratchpad_; }
  const LocalRows& accumulator() const override { return accumulator_; }
  const void* scratchpad_data() const override { return scratchpad_.data(); }
  const void* accumulator_data() const override { return accumulator_.data(); }

  void load_row(const Operation& load, float scale, std::int64_t row, const std::uint8_t* source) override {
    for (std::int64_t column = 0; column < load.columns; column += dim_) {
      const std::int64_t width = std::min(dim_, load.columns - column);
      const std::int64_t local_row = load.local_row + row + column / dim_ * load.block_stride;
      const std::uint8_t* from = source + column * load.element_bytes;
      if (load.wide) {
        std::memcpy(sums_.data(), from, width * sizeof(Sum));
        if (Arithmetic::kWideLoadsAreScaled && load.scaled) {
          for (std::int64_t c = 0; c < width; ++c) sums_[c] = Arithmetic::scale_wide(sums_[c], scale);
        }
        write_sums(local_row, sums_.data(), width, load.accumulate, "accumulating mvin");
        continue;
      }
      std::memcpy(elements_.data(), from, width * sizeof(Element));
      if (load.scaled) {
        for (std::int64_t c = 0; c < width; ++c) elements_[c] = Arithmetic::scale(elements_[c], scale);
      }
      if (load.accumulator) {
        std::copy_n(elements_.begin(), width, sums_.begin());
        write_sums(local_row, sums_.data(), width, load.accumulate, "accumulating mvin");
        continue;
      }
      // Copies of a pixel that would leave the half of the scratchpad that they begin in are dropped.
      const std::int64_t floor = local_row < scratchpad_.rows() / 2 ? 0 : scratchpad_.rows() / 2;
      for (std::int64_t pixel = 0; pixel < load.pixel_repeats && local_row - pixel >= floor; ++pixel) {
        std::copy_n(elements_.begin(), width, scratchpad_.write(local_row - pixel) + pixel * load.columns);
      }
    }
  }

  void store_row(const Operation& store, const StoreMode& mode, std::int64_t row, std::uint8_t* target) override {
    for (std::int64_t column = 0; column < store.columns; column += dim_) {
      const std::int64_t width = std::min(dim_, store.columns - column);
      const std::int64_t local_row = store.local_row + row + column;  // blocks lie dim rows apart
      std::uint8_t* to = target + column * store.element_bytes;
      store_block(store, mode, local_row, width, to);
    }
  }

  void gather_row(const Operation& store, const StoreMode& mode, NormCommand command, std::int64_t row) override {
    if constexpr (kNormalizes) {
      for (std::int64_t column = 0; column < store.columns; column += dim_) {
        const bool last = column + dim_ >= store.columns;
        normalizer_.gather(last ? command : unfinished(command), mode.statistics,
                           accumulator_.read(store.local_row + row + column, "mvout"),
                           std::min(dim_, store.columns - column), mode.constants, mode.scale);
      }
    }
  }

  void store_pixel(const Operation& store, const StoreMode& mode, std::int64_t row, std::int64_t column,
                   std::uint8_t* target) override {
    const Picture& picture = store.picture;
    bool first = true;
    for (std::int64_t i = 0; i < picture.window; ++i) {
      for (std::int64_t j = 0; j < picture.window; ++j) {
        const std::int64_t pixel = picture.local_row(row, column, i, j);
        if (first && pixel >= 0) {
          store_block(store, mode, store.local_row + pixel, store.columns, target);
        } else if (first) {
          std::memset(target, 0, store.columns * store.element_bytes);
        } else {
          keep_larger(store, mode, pixel, target);
        }
        first = false;
      }
    }
  }

  void preload(const Matrix& matrix, const ArrayMode& mode) override {
    fetch(matrix, mode, a_.data());
    std::copy(a_.begin(), a_.end(), next_.begin());
  }

  void compute(const Matrix& a, const Matrix& other, bool flip, const ArrayMode& mode, const Matrix& c) override {
    if (flip) std::swap(array_, next_);
    fetch(a, mode, a_.data());
    fetch(other, mode, b_.data());
    std::copy(b_.begin(), b_.end(), result_.begin());
    if (mode.output_stationary) {
      multiply_accumulate(array_.data(), a_.data(), result_.data(), dim_, dim_);
      // The cells keep only as many bits as they can pass on, so a long sum wraps.
      for (Sum& value : array_) value = Arithmetic::wrap_sum(value, sum_bits_);
      for (std::int64_t i = 0; i < dim_ * dim_; ++i) result_[i] = Arithmetic::shift(array_[i], mode.shift);
    } else {
      const std::int64_t rows = Arithmetic::kAddingZeroChanges ? dim_ : a.address.garbage() ? 0 : a.rows;
      multiply_accumulate(result_.data(), a_.data(), array_.data(), rows, dim_);
      if (Arithmetic::may_wrap(dim_, sum_bits_)) {
        for (Sum& value : result_) value = Arithmetic::wrap_sum(value, sum_bits_);
      }
    }
    if (!c.address.garbage()) write_result(c, mode);
  }

 private:
  // Part of a local row, as it shall lie in memory.
  void store_block(const Operation& store, const StoreMode& mode, std::int64_t local_row, std::int64_t columns,
                   std::uint8_t* to) {
    if (store.zeros) {
      std::memset(to, 0, columns * sizeof(Element));
    } else if (!store.accumulator) {
      std::memcpy(to, scratchpad_.read(local_row, "mvout"), columns * sizeof(Element));
    } else if (mode.full_width) {
      std::memcpy(to, accumulator_.read(local_row, "mvout"), columns * sizeof(Sum));
    } else {
      leave(accumulator_.read(local_row, "mvout"), columns, mode);
      std::memcpy(to, elements_.data(), columns * sizeof(Element));
    }
  }

  // The larger of what `target` holds and a pixel, which is zero in the padding: negative maxima become zero there.
  void keep_larger(const Operation& store, const StoreMode& mode, std::int64_t pixel, std::uint8_t* target) {
    std::fill(elements_.begin(), elements_.end(), Element{});
    if (pixel >= 0 && !store.zeros) {
      leave(accumulator_.read(store.local_row + pixel, "pooling mvout"), store.columns, mode);
    }
    for (std::int64_t c = 0; c < store.columns; ++c) {
      Element kept;
      std::memcpy(&kept, target + c * sizeof(Element), sizeof kept);
      if (Arithmetic::greater(elements_[c], kept)) std::memcpy(target + c * sizeof(Element), &elements_[c], sizeof kept);
    }
  }

  // Sums on their way to memory.
  void leave(const Sum* sums, std::int64_t columns, const StoreMode& mode) {
    if constexpr (kNormalizes) {
      if (mode.activation > Activation::kRelu) {
        const float factor = normalizer_.activate(mode.activation, mode.statistics, sums, columns, mode.constants,
                                                  mode.scale, sums_.data());
        narrow(sums_.data(), columns, false, factor);
        return;
      }
    }
    narrow(sums, columns, mode.activation == Activation::kRelu, mode.scale);
  }

  // Sums as they leave the accumulator: activation, then scale. Into elements_.
  void narrow(const Sum* sums, std::int64_t columns, bool relu, float scale) {
    for (std::int64_t c = 0; c < columns; ++c) {
      elements_[c] = Arithmetic::scale(relu ? Arithmetic::relu(sums[c]) : sums[c], scale);
    }
  }

  // The matrix as a dense dim x dim one with zeros outside its extent. Values from the accumulator are scaled.
  void fetch(const Matrix& matrix, const ArrayMode& mode, Element* out) {
    std::fill_n(out, dim_ * dim_, Element{});
    if (matrix.address.garbage()) return;
    const std::int64_t columns = matrix.stored_columns();
    for (std::int64_t row = 0; row < matrix.stored_rows(); ++row) {
      const std::int64_t local_row = matrix.address.row() + row * matrix.stride;
      const Element* values = elements_.data();
      if (matrix.address.accumulator()) {
        narrow(accumulator_.read(local_row, matrix.what), columns, mode.relu, mode.operand_scale);
      } else {
        values = scratchpad_.read(local_row, matrix.what);
      }
      if (matrix.transposed) {
        for (std::int64_t c = 0; c < columns; ++c) out[c * dim_ + row] = values[c];
      } else {
        std::copy_n(values, columns, out + row * dim_);
      }
    }
  }

  void write_result(const Matrix& c, const ArrayMode& mode) {
    for (std::int64_t row = 0; row < c.rows; ++row) {
      const std::int64_t local_row = c.address.row() + row * c.stride;
      const Sum* values = result_.data() + row * dim_;
      if (c.address.accumulator()) {
        write_sums(local_row, values, c.columns, c.address.accumulate(), "accumulating compute");
        continue;
      }
      Element* target = scratchpad_.write(local_row);
      for (std::int64_t column = 0; column < c.columns; ++column) {
        const Element clipped = Arithmetic::clip(values[column]);
        target[column] = mode.relu ? Arithmetic::relu(clipped) : clipped;
      }
    }
  }

  void write_sums(std::int64_t row, const Sum* values, std::int64_t columns, bool accumulate, const char* what) {
    if (!accumulate) {
      std::copy_n(values, columns, accumulator_.write(row));
      return;
    }
    accumulator_.read(row, what);  // a fault if it holds nothing
    Sum* target = accumulator_.write(row);
    for (std::int64_t c = 0; c < columns; ++c) target[c] = Arithmetic::add(target[c], values[c]);
  }

  std::int64_t dim_;
  int sum_bits_;
  LocalMemory<Element> scratchpad_;
  LocalMemory<Sum> accumulator_;
  std::vector<Sum> next_;   // what the latest preload brought: B, or D of the output-stationary flow
  std::vector<Sum> array_;  // resident: B, or the partial sums of the output-stationary flow
  std::vector<Element> a_, b_;  // operands of the current step
  std::vector<Sum> result_;
  std::vector<Element> elements_;
  std::vector<Sum> sums_;
  Normalizer normalizer_;
};

}  // namespace

std::unique_ptr<DataPath> make_data_path(const Config& config) {
  if (config.float_elements != 0) return std::make_unique<TypedDataPath<Float32Arithmetic>>(config);
  return std::make_unique<TypedDataPath<Int8Arithmetic>>(config);
}

}  // namespace autocomp::gemmini
