// What Elysia's page shows to eyes and a mouse alone, made known to keys and to screen readers.
// It goes by what is shown: a field is called what stands beside it, a button without words what
// its picture means; what the mouse may press or scroll, Tab reaches. Nothing looks different.
(() => {
  "use strict";
  const FIELDS = "input:not([type=hidden]), textarea, select, [role=combobox], [role=checkbox]";
  const BUTTONS = "button, [role=button], [role=menuitem]";
  const NATIVE = "a[href], button, input, textarea, select";
  const KEYS = `${NATIVE}, [tabindex]:not([tabindex="-1"])`;
  const PRESSED = ".cursor-pointer";
  const SCROLLED = '[class*="overflow-"]';
  const OURS = "data-reach";
  const FARTHEST = 6;
  // How the drawing of a picture begins, and what it means wherever it stands.
  const PICTURES = {
    "m289.94 256": "Close",
    "M4 16c-1.1 0-2-.9-2-2V4c0-1.1": "Copy",
    "M433 288.8": "Refresh",
    "M214.6 41.4": "Back to the top",
    "M899.4 638.2h-27.198": "More",
    "M256 105c-101.8 0-188.4 62.4": "Show what is typed",
    "M256.1 144.8c56.2 0 101.9 45.3": "Hide what is typed",
    "M3 17.25V21h3.75L17.81 9.94": "Edit",
    "M438.6 105.4c12.5 12.5 12.5 32.8": "Done",
    "M268 416h24a12 12 0 0 0 12-12V188": "Delete",
    "M6 19c0 1.1.9 2 2 2h8c1.1 0 2-.9": "Delete",
  };

  const words = (e) => (e.innerText ?? "").trim();
  const label = (e, name) => {
    if (e.getAttribute("aria-label") !== name) e.setAttribute("aria-label", name);
    if (!e.hasAttribute(OURS)) e.setAttribute(OURS, "named");
  };
  const nameless = (e) =>
    e.getAttribute(OURS) === "named" ||
    !(e.hasAttribute("aria-label") || e.hasAttribute("aria-labelledby") || e.title || e.labels?.length);

  /** The first words around a field that belong to no field and no button. */
  function beside(field) {
    if (field.placeholder) return field.placeholder;
    let around = field.parentElement;
    for (let step = 0; around && step < FARTHEST; step += 1, around = around.parentElement) {
      const texts = document.createTreeWalker(around, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const said = texts.currentNode.data.trim();
        const of = texts.currentNode.parentElement;
        if (said && !of.closest(`${FIELDS}, ${BUTTONS}, script, style`)) return said;
      }
    }
    return "";
  }

  function pictured(e) {
    const drawn = [...e.querySelectorAll("path")].map((path) => path.getAttribute("d") ?? "");
    const known = Object.entries(PICTURES);
    return known.find(([begins]) => drawn.some((d) => d.startsWith(begins)))?.[1] ?? "";
  }

  function nameAll() {
    for (const field of document.querySelectorAll(FIELDS)) {
      const name = nameless(field) && beside(field);
      const chosen = field.matches("button") ? words(field) : "";
      if (name) label(field, chosen ? `${name}: ${chosen}` : name);
    }
    for (const button of document.querySelectorAll(BUTTONS)) {
      const name = !button.matches(FIELDS) && nameless(button) && !words(button) && pictured(button);
      if (name) label(button, name);
    }
    for (const picture of document.querySelectorAll("svg[role=img]:not([aria-label])")) {
      if (!picture.querySelector("title")) picture.setAttribute("aria-hidden", "true");
    }
  }

  function reachable(e, as) {
    e.setAttribute(OURS, as);
    e.tabIndex = 0;
    if (as === "pressed" && !e.matches("tr, th, li")) e.setAttribute("role", "button");
  }
  function leave(e) {
    if (e.getAttribute(OURS) === "pressed") e.removeAttribute("role");
    e.removeAttribute(OURS);
    e.removeAttribute("tabindex");
  }
  const holdsKeys = (e) => e.querySelector(KEYS) !== null;

  /** What of a card is called by its name, where it holds buttons of its own. */
  const titleOf = (e) =>
    e.querySelector(`[${OURS}=pressed]`) ??
    [...e.querySelectorAll("*")].find(
      (part) => words(part) && !holdsKeys(part) && !part.closest(`a, ${BUTTONS}, ${FIELDS}`),
    );

  /** What the mouse may press: a card, a heading that sorts, a row (once, not each of its cells). */
  function pressables() {
    const found = new Set();
    for (const e of document.querySelectorAll(PRESSED)) {
      const one = e.closest("tr td") ? e.closest("tr") : e;
      const inside = one.parentElement.closest(`${PRESSED}, a, label, ${BUTTONS}, ${FIELDS}`);
      const own = one.matches(`label, [aria-disabled=true], ${FIELDS}`) || one.hasAttribute("role");
      const other = one.matches(NATIVE) || own;
      if (one.hasAttribute(OURS) || !(inside || other)) found.add(one);
    }
    return [...found]
      .filter((e) => words(e) && !e.querySelector("canvas, [aria-disabled=true]"))
      .map((e) => (holdsKeys(e) ? titleOf(e) : e))
      .filter(Boolean);
  }

  /** What hides a part of itself that only the mouse's wheel brings: with keys in it, they do. */
  function scrollables() {
    return [...document.querySelectorAll(SCROLLED)].filter((e) => {
      const { overflowX, overflowY } = getComputedStyle(e);
      const scrolls = (how) => how === "auto" || how === "scroll";
      const down = scrolls(overflowY) && e.scrollHeight > e.clientHeight + 1;
      return down || (scrolls(overflowX) && e.scrollWidth > e.clientWidth + 1);
    });
  }

  function reachAll() {
    for (const [find, as] of [[pressables, "pressed"], [scrollables, "scrolled"]]) {
      const now = new Set(find().filter((e) => !holdsKeys(e)));
      for (const e of document.querySelectorAll(`[${OURS}=${as}]`)) if (!now.has(e)) leave(e);
      for (const e of now) if (!e.hasAttribute(OURS)) reachable(e, as);
    }
  }

  document.addEventListener("keydown", (key) => {
    const e = key.target;
    if (e.getAttribute?.(OURS) !== "pressed" || (key.key !== "Enter" && key.key !== " ")) return;
    key.preventDefault();
    (e.matches("tr") ? (e.querySelector(PRESSED) ?? e) : e).click();
  });

  // A row that is reached behind a heading far to the right begins where it begins.
  document.addEventListener("focusin", ({ target }) => {
    if (!target.matches(`tr[${OURS}=pressed]:focus-visible`)) return;
    target.cells[0].scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  let due = 0;
  const soon = () => {
    due ||= setTimeout(() => {
      due = 0;
      nameAll();
      reachAll();
    }, 150);
  };
  // What a menu hides from readers while it is open, it hides from keys, too; at once, since the
  // focus comes back to it when the menu closes.
  new MutationObserver((changes) => {
    for (const { target } of changes) target.inert = target.hasAttribute("data-aria-hidden");
  }).observe(document, { subtree: true, attributeFilter: ["data-aria-hidden"] });
  new MutationObserver(soon).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ["class", "data-state"],
  });
  addEventListener("resize", soon);
  soon();
})();
