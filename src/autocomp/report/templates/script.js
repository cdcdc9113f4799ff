"use strict";
(() => {
  const tree = document.getElementById("tree");
  if (!tree) return;
  const items = Array.from(tree.querySelectorAll("li[data-role]"));
  const words = document.getElementById("words");
  const boxes = ["passed", "failed"].map((name) => document.getElementById("show-" + name));
  const kept = document.getElementById("only-kept");
  const count = document.getElementById("count");
  const apply = () => {
    const needle = words.value.trim().toLowerCase();
    let shown = 0;
    // Children come after their parents, so walking backwards settles every child first.
    const visible = new Set();
    for (const item of items.slice().reverse()) {
      const wanted = (item.dataset.passed === "1" ? boxes[0].checked : boxes[1].checked) &&
        (!kept.checked || item.dataset.role !== "") &&
        (!needle || item.querySelector(".row").textContent.toLowerCase().includes(needle));
      if (wanted) shown += 1;
      if (wanted || visible.has(item)) {
        item.classList.remove("hide");
        const above = item.parentElement.closest("li");
        if (above) visible.add(above);
      } else {
        item.classList.add("hide");
      }
    }
    count.textContent = shown + " of " + items.length;
  };
  [words, kept, ...boxes].forEach((control) => control.addEventListener("input", apply));
  const set = (open) => tree.querySelectorAll("details.branch").forEach((one) => { one.open = open; });
  document.getElementById("open-all").addEventListener("click", () => set(true));
  document.getElementById("close-all").addEventListener("click", () => set(false));
  document.querySelector(".filters").classList.remove("hide");
  apply();
})();
