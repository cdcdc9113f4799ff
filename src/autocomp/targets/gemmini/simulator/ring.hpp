// A queue of fixed capacity without allocation after construction.
#pragma once

#include <cstddef>
#include <vector>

namespace autocomp::gemmini {

template <typename T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : capacity_(capacity) {
    std::size_t size = 1;
    while (size < capacity) size *= 2;
    items_.resize(size);
    mask_ = size - 1;
  }
  std::size_t capacity() const { return capacity_; }
  std::size_t size() const { return tail_ - head_; }
  bool empty() const { return head_ == tail_; }
  bool full() const { return size() >= capacity_; }
  T& front() { return items_[head_ & mask_]; }
  const T& front() const { return items_[head_ & mask_]; }
  T& back() { return items_[(tail_ - 1) & mask_]; }
  T& operator[](std::size_t i) { return items_[(head_ + i) & mask_]; }
  const T& operator[](std::size_t i) const { return items_[(head_ + i) & mask_]; }
  void push(const T& item) {
    if (size() == items_.size()) grow();
    items_[tail_++ & mask_] = item;
  }
  void pop() { ++head_; }

 private:
  void grow() {  // only queues whose bound is kept elsewhere come here
    std::vector<T> wider(items_.size() * 2);
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) wider[i] = items_[(head_ + i) & mask_];
    items_.swap(wider);
    mask_ = items_.size() - 1;
    head_ = 0;
    tail_ = count;
  }

  std::size_t capacity_;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::vector<T> items_;
};

}  // namespace autocomp::gemmini
