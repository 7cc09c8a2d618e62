// Achievements by category, each with the badge of its highest tier and the way to the next one.
import { all } from "./api.js";
import { h, name, svg } from "./dom.js";
import { capital, count, number } from "./words.js";

// The tiers with a colour; a later version may have others.
const metals = ["bronze", "silver", "gold", "platinum", "diamond", "legendary"];
// Categories whose achievements are read one by one.
const mostRead = 12;
// By category, as long as it was not updated.
const known = new Map();

// The account's categories; the first ones have their achievements as `items`.
export async function read(query) {
  const categories = await all("/v1/achievements", query);
  return Promise.all(categories.map(async (each, place) => {
    if (place >= mostRead) return { ...each, items: [] };
    const key = JSON.stringify([query, each]);
    if (!known.has(key)) known.set(key, await all("/v1/achievements", { ...query, category: each.category }));
    return { ...each, items: known.get(key) };
  }));
}

const badge = (tier) => svg("svg", { class: `badge ${metals.includes(tier) ? tier : tier ? "other" : "locked"}`,
  viewBox: "0 0 40 48", "aria-hidden": "true" },
svg("path", { class: "ribbon", d: "M12 26 8 46l7-4 5 5 5-5 7 4-4-20Z" }),
svg("circle", { class: "disc", cx: 20, cy: 18, r: 16 }), svg("circle", { class: "ring", cx: 20, cy: 18, r: 11.5 }),
svg("path", { class: "star", d: "m20 9.5 2.5 5.5 6 .6-4.5 4 1.3 5.9-5.3-3-5.3 3 1.3-5.9-4.5-4 6-.6Z" }));

// The next tier of an achievement, and how far it is on the way there; null if all are reached.
function next({ requirements, progress }) {
  const open = requirements.filter((each) => each.threshold > progress.currentValue)
    .sort((a, b) => a.threshold - b.threshold)[0];
  return open ? { tier: open.tier, value: progress.currentValue, threshold: open.threshold,
    part: Math.max(0, progress.currentValue / open.threshold) } : null;
}

// The step of a category that is nearest.
function nearest(category) {
  const step = category.items.map(next).filter(Boolean).sort((a, b) => b.part - a.part)[0];
  if (!step) return null;
  const text = `${number(step.value)} of ${number(step.threshold)} to ${step.tier}`;
  return h("div", { class: "stack tight" },
    h("div", { class: "bar", role: "progressbar", "aria-label": "To the next tier", "aria-valuemin": "0", "aria-valuemax": "100",
      "aria-valuenow": String(Math.floor(step.part * 100)), "aria-valuetext": text },
    h("span", { "width%": Math.floor(step.part * 100) })), h("p", { class: "small soft" }, name(text)));
}

export function achievements(categories) {
  if (categories.length === 0) return null;
  return h("section", { "aria-labelledby": "achievements" }, h("h2", { id: "achievements" }, "Achievements"),
    h("ul", { class: "badges" }, categories.map((each) => h("li", { class: "card", "data-key": each.category },
      badge(each.highestTier),
      h("div", { class: "stack tight" },
        h("div", null, h("h3", null, name(capital(each.category.replaceAll("_", " ")))),
          h("p", { class: "small" }, each.highestTier ? name(capital(each.highestTier)) : "None yet",
            each.count > 1 ? h("span", { class: "soft" }, `, ${number(each.unlocked)} of ${count(each.count, "achievement")}`)
              : null)),
        nearest(each))))));
}
