// Achievements by category, each with the badge of its highest tier.
import { h, name, svg } from "./dom.js";
import { capital, count, number } from "./words.js";

// The tiers with a colour; a later version may have others.
const metals = ["bronze", "silver", "gold", "platinum", "diamond", "legendary"];

const badge = (tier) => svg("svg", { class: `badge ${metals.includes(tier) ? tier : tier ? "other" : "locked"}`,
  viewBox: "0 0 40 48", "aria-hidden": "true" },
svg("path", { class: "ribbon", d: "M12 26 8 46l7-4 5 5 5-5 7 4-4-20Z" }),
svg("circle", { class: "disc", cx: 20, cy: 18, r: 16 }), svg("circle", { class: "ring", cx: 20, cy: 18, r: 11.5 }),
svg("path", { class: "star", d: "m20 9.5 2.5 5.5 6 .6-4.5 4 1.3 5.9-5.3-3-5.3 3 1.3-5.9-4.5-4 6-.6Z" }));

export function achievements(categories) {
  if (categories.length === 0) return null;
  return h("section", { "aria-labelledby": "achievements" }, h("h2", { id: "achievements" }, "Achievements"),
    h("ul", { class: "badges" }, categories.map((each) => h("li", { class: "card", "data-key": each.category },
      badge(each.highestTier),
      h("div", null,
        h("h3", null, name(capital(each.category.replaceAll("_", " ")))),
        h("p", { class: "small" }, each.highestTier ? name(capital(each.highestTier)) : "None yet"),
        h("p", { class: "small soft" }, `${number(each.unlocked)} of ${count(each.count, "achievement")}, `
          + count(each.unlockedTiers, "tier")))))));
}
