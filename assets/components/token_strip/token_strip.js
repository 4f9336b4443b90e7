// A text as tokens: chips that can be pointed at, with a number under each, and the reading that
// belongs to the selected one. Chips can be selected a word at a time (`grouped`), and can have a
// lifetime in steps (`life`: symbols that one merge makes and another uses up).

import { channels, inkOn, rgb, scaleOf } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { el, rich } from "../shared/dom.js";
import { fmt, percent } from "../shared/numbers.js";
import { at2 } from "../shared/payload.js";
import { described, pickAt, toggle as togglePick, underWay } from "../shared/picking.js";
import { Roving } from "../shared/roving.js";
import { keepAt } from "../shared/scrolling.js";
import { later } from "../shared/time.js";
import { Chips } from "./chips.js";
import style from "./token_strip.css.js";

const AGREED = 600; // ms after which the server's word counts, whatever was told

export default define(style, (env) => {
  const { select, current } = env;
  let payload = null;
  let marked = new Set(); // as shown; the server sends them back later
  let told = null; // what it was told of them last, until it says the same

  const heading = el("h2", { class: "title" });
  const list = el("div", { class: "strip", role: "listbox" });
  const lines = el("div", { class: "lines" });
  const cut = el("div", { class: "cut" });
  const prose = el("p", { class: "prose" });
  const reading = el("p", { class: "reading", "aria-live": "polite" });
  const more = el("button", { type: "button", class: "more" });
  env.host.append(heading, el("div", { class: "said" }, list, reading),
    el("div", { class: "beneath" }, more, cut), lines, prose);

  const field = () => payload.field ?? "token";
  const unit = (index) => (payload.grouped ? payload.tokens[index].group : index);
  // Tokens that a later step brings (generation) are not there yet.
  const count = () => {
    if (!payload.reveal) return payload.tokens.length;
    const step = current(payload.reveal.field) ?? payload.reveal.first ?? 0;
    return Math.min(payload.tokens.length, payload.reveal.base + step);
  };
  const chosen = () => {
    const at = current(field());
    if (payload.grouped) return at ?? payload.default ?? null;
    if (at === null) return payload.reveal ? count() - 1 : payload.default ?? null;
    return Math.max(0, Math.min(at, count() - 1));
  };

  // Mark a token or let go of it, with its whole word where words go together. Gives the first of
  // what was marked together.
  function toggle(index) {
    const { group } = payload.tokens[index];
    const together = payload.toggles === "group"
      ? payload.tokens.flatMap((token, at) => (token.group === group ? [at] : [])) : [index];
    const on = !marked.has(index);
    for (const at of together) on ? marked.add(at) : marked.delete(at);
    const all = [...marked].sort((a, b) => a - b);
    told = String(all);
    const said = payload.toggles === "group" ? all.map((at) => payload.tokens[at].group) : all;
    env.say("marked", String([...new Set(said)]));
    return together[0];
  }

  // What the server says is marked. Just after quick clicks it may still be what an older one had
  // made; what it has settled on counts.
  function take(marks) {
    if (told !== null && told !== String(marks)) return agree();
    agree.cancel();
    told = null;
    marked = new Set(marks);
    return undefined;
  }
  const agree = later(() => {
    told = null;
    take(payload.marked ?? []);
    paint();
  }, AGREED);

  function choose(index) {
    const picking = env.picking();
    if (picking && underWay(picking)) {
      togglePick(picking, 0, index);
      return;
    }
    if (payload.toggles && !payload.tokens[index].fixed) {
      index = toggle(index);
      paint();
    }
    pick(index);
  }

  function pick(index) {
    if (payload.still || unit(index) === null) return;
    const clears = payload.clears ?? [];
    select({ ...Object.fromEntries(clears.map((name) => [name, null])), [field()]: unit(index) });
    env.report([field(), ...clears]);
  }

  // Where a chip stands in its lifetime, counted in steps; null when chips have none.
  function age(index) {
    const life = payload.arrays.life;
    if (!life) return null;
    const now = current(payload.follow.field) ?? payload.follow.first;
    const [born, gone] = [at2(life, index, 0), at2(life, index, 1)];
    return { alive: born <= now && now < gone, fresh: born === now && now > 0, last: gone === now + 1 };
  }

  const chips = new Chips(list, () => payload && paint({ hover: true }));
  const roving = new Roving(list, () => chips.nodes.filter((chip) => !chip.hidden), {
    moved: (chip) => payload.toggles || underWay(env.picking()) || choose(chips.at(chip)),
    act: (chip) => choose(chips.at(chip)),
  });
  list.addEventListener("click", (event) => {
    const index = chips.at(event.target);
    if (index >= 0) choose(index);
  });
  // Not over: a strip that comes to be where the mouse rests is not pointed at.
  list.addEventListener("pointermove", (event) => {
    const index = chips.at(event.target);
    env.point(index >= 0 && !payload.still ? { [field()]: unit(index) } : {});
  });
  list.addEventListener("pointerleave", () => env.point());
  more.addEventListener("click", () => {
    const { top } = more.getBoundingClientRect();
    env.host.classList.toggle("open");
    more.textContent = env.host.classList.contains("open") ? payload.labels.less : payload.labels.more;
    reach();
    keepAt(more, top);
  });

  // Which row of `heat` is shown: that of the selected token, or of what another field of the selection
  // names; a position of it that is past its end, of a longer text, is the last one. -1 for none.
  function rowOf(heat) {
    const other = payload.heat_field ? current(payload.heat_field) : null;
    return (payload.heat_ids ? payload.heat_ids.indexOf(other)
      : payload.heat_field ? Math.min(other ?? -1, heat.shape[0] - 1) : chosen()) ?? -1;
  }

  // The numbers under the chips: one row of `heat`, or one for all.
  function values() {
    const heat = payload.arrays.heat;
    if (!heat) return null;
    if (heat.shape.length === 1) return heat.values;
    const row = rowOf(heat);
    if (row < 0) return null;
    return heat.values.subarray(row * heat.shape[1], (row + 1) * heat.shape[1]);
  }

  // Chips with a number for each selected token are what that token looks at.
  const ofKeys = () => Boolean(payload.arrays.may) || payload.arrays.heat?.shape.length === 2;

  // What a chip looks like now: its state, and its note.
  function look(index, { picking, selected, n, key, numbers, scale, ground, palette }) {
    const token = payload.tokens[index];
    const life = age(index);
    const { may } = payload.arrays;
    const hidden = Boolean(may) && selected !== null && at2(may, selected, index) !== 1;
    const known = numbers && !hidden && !Number.isNaN(numbers[index]);
    const behind = Boolean(payload.marked_label) && marked.has(index);
    const pick = pickAt(picking, 0, index);
    const own = selected !== null && unit(index) === selected;
    let background = ground;
    if (pick.picked) background = channels(palette.accent);
    else if (known) background = scale(numbers[index]);
    else if (payload.coloured && token.group !== null) {
      background = channels(palette.tokens[token.group % palette.tokens.length]);
    }
    return {
      gone: index >= n || life?.alive === false,
      label: behind ? payload.marked_label : token.label,
      note: behind ? token.label : hidden ? payload.labels.masked
        : known ? said(numbers[index]) : payload.notes?.[index] ?? "",
      background: rgb(background),
      ink: inkOn(background),
      hidden,
      marked: marked.has(index) || Boolean(life?.last),
      fresh: Boolean(life?.fresh),
      pointed: index === key,
      selected: pick.free ? pick.picked : own,
      asked: own && pick.free,
      ...pick,
      words: described(picking, pick),
    };
  }

  const said = (value) => (payload.heat_unit === "share" ? percent(value)
    : `${fmt(value, payload.heat_digits ?? 2)}${payload.heat_unit ?? ""}`);

  function paint({ hover = false } = {}) {
    const palette = env.palette();
    const selected = chosen();
    const now = {
      selected, palette, picking: env.picking(), n: count(), numbers: values(),
      key: ofKeys() ? env.pointed("key") : null, ground: channels(palette.surface),
      scale: scaleOf(palette, payload.heat_role ?? "weight", payload.heat_limit ?? 1),
    };
    chips.paint((index) => look(index, now), hover);
    const reached = payload.grouped
      ? payload.tokens.findIndex((token) => token.group === selected) : selected ?? 0;
    roving.reach(chips.nodes[Math.max(0, reached)]);
    written(now.n);
    if (payload.headings) {
      heading.replaceChildren(...rich(payload.headings[rowOf(payload.arrays.heat)] ?? []));
    }
    const readings = payload.readings ?? [];
    const words = readings.length > 1 ? readings[selected ?? 0] : readings[0];
    reading.replaceChildren(...(words ? rich(words) : []));
  }

  // What a later step brings is read as one text, too, with what stood there before.
  function written(n) {
    const base = payload.reveal?.base ?? 0;
    prose.hidden = !payload.prose || n <= base;
    if (prose.hidden) return;
    const [given, made] = [payload.prose.slice(0, base), payload.prose.slice(base, n)].map((one) => one.join(""));
    prose.replaceChildren(given.trimStart(), el("b", {}, made));
  }

  // A long strip is folded to a few rows, and the one with the selected chip is among them. Only
  // another selection or shape of the strip moves it, so that it can be scrolled by hand.
  let reached = []; // for which chip, in which shape of the strip, it was last seen to
  function reach() {
    const selected = chosen();
    const chip = chips.nodes[payload.grouped
      ? payload.tokens.findIndex((token) => token.group === selected) : selected];
    const open = env.host.classList.contains("open");
    const now = [chip, open, env.host.clientWidth];
    if (!chip || chip.hidden || now.every((one, at) => one === reached[at])) return;
    reached = now;
    const [own, fold] = [chip.getBoundingClientRect(), list.getBoundingClientRect()];
    if (own.top < fold.top || own.bottom > fold.bottom) {
      list.scrollTop += own.top - fold.top - (fold.height - own.height) / 2;
    }
  }

  // More than one can be selected where chips are marked, or picked.
  function sayHow() {
    const several = Boolean(payload.toggles)
      || (underWay(env.picking()) && !env.picking()?.one);
    list.setAttribute("aria-multiselectable", String(several));
  }

  // The longest reading keeps its room, so that what stands below does not jump.
  function makeRoom() {
    const readings = payload.readings ?? [];
    if (readings.length < 2) return;
    const length = (parts) => (parts ?? []).reduce((sum, [text]) => sum + text.length, 0);
    const longest = readings.reduce((a, b) => (length(b) > length(a) ? b : a));
    reading.style.minHeight = "";
    reading.replaceChildren(...rich(longest ?? []));
    reading.style.minHeight = `${reading.offsetHeight}px`;
  }

  // A chip is as wide as its longest number, whichever token is selected or pointed at: else the
  // chips would go to another row and the ones below would slip away from under the pointer.
  function keepWidth() {
    const { heat } = payload.arrays;
    chips.nodes.forEach((chip, index) => {
      const words = heat?.shape.length === 2
        ? Array.from({ length: heat.shape[0] }, (_, row) => said(at2(heat, row, index))) : [""];
      chips.room(chip, words.reduce((a, b) => (b.length > a.length ? b : a)));
    });
  }

  return {
    update(next) {
      const shape = (one) => JSON.stringify([one.tokens, one.cut, one.field, one.grouped]);
      const before = payload && shape(payload);
      heading.replaceChildren(...rich(next.heading ?? []));
      lines.replaceChildren(...(next.lines ?? []).map((line) => el("p", {}, ...rich(line))));
      payload = next;
      take(next.marked ?? []);
      if (before !== shape(next)) {
        chips.build(next.tokens);
        env.point();
        cut.replaceChildren(...(next.cut ? [
          el("s", {}, next.cut), el("span", { class: "muted" }, ` ${next.labels.cut}`)] : []));
        const long = next.tokens.length > (next.long ?? 60);
        more.hidden = !long;
        env.host.classList.toggle("long", long);
        more.textContent = next.labels.more ?? "";
      }
      list.setAttribute("aria-label", next.labels.strip);
      sayHow();
      env.host.classList.toggle("compact", Boolean(next.compact));
      makeRoom();
      keepWidth();
      paint();
      reach();
    },
    // To the next or previous token, or word; marks stay as they are.
    walk(by) {
      if (!payload || payload.still || underWay(env.picking())) return false;
      const shown = payload.tokens.slice(0, count());
      const places = shown.map((_, at) => at)
        .filter((at) => !chips.nodes[at].hidden && unit(at) !== null && shown.findIndex(
          (_, first) => unit(first) === unit(at)) === at);
      if (!places.length) return false;
      const now = places.findIndex((at) => unit(at) === chosen());
      pick(places[Math.max(0, Math.min(places.length - 1, now + by))]);
      return true;
    },
    picked() {
      if (!payload) return;
      sayHow();
      paint();
    },
    resized() {
      if (!payload) return;
      makeRoom();
      paint();
      reach();
    },
    selected(changed, hover) {
      const fields = [
        field(), payload.reveal?.field, payload.heat_field, payload.follow?.field, ofKeys() && "key"];
      if (!fields.some((name) => name && changed.includes(name))) return;
      paint({ hover });
      if (!hover) reach();
    },
    destroy: () => {
      agree.cancel();
      chips.destroy();
    },
  };
});
