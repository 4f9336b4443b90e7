// Where the picture is seen from: the whole of it, or a layer gone into; and the way between.

import { animate } from "../shared/time.js";
import { between, layout, leftOut, sizesOf } from "./layout.js";

const DURATION = 320; // ms

export class Camera {
  /**
   * @param {() => void} draw
   * @param {() => void} arrived what is reached stands elsewhere now
   */
  constructor(draw, arrived) {
    this.redraw = draw;
    this.arrived = arrived;
    this.open = undefined;
    this.head = undefined; // of what is open, the one that is gone into
    this.share = 0; // how far it is open
    this.side = ""; // the name of the tower that is shown where it is one at a time; the last one's
    this.turn = 0;
    this.places = new Map();
  }

  /**
   * @param {import("./lettering.js").Lettering} scene
   * @param {number} room
   * @param {any} [open] the gap that is gone into
   * @param {any} [head] of it
   */
  place(scene, room, open, head) {
    this.scene = scene;
    this.room = room;
    this.sizes = sizesOf(scene.items, room, scene.zoom, (tower, most) => scene.widthOf(tower, most), scene.least > 0);
    scene.narrow = this.sizes.narrow;
    this.jump(open, head);
  }

  /**
   * @param {any} [open]
   * @param {any} [head]
   */
  jump(open, head) {
    this.turn += 1;
    this.open = open;
    this.head = head;
    this.share = open ? 1 : 0;
    this.places = this.target = this.#layout(open, head);
  }

  #layout(open, head) {
    if (open) this.side = open.tower.name;
    return layout(this.scene.items, open, this.room, this.sizes, head, this.shown);
  }

  /** The name of the tower that is shown, where there is no room for several side by side. */
  get shown() {
    const { towers } = this.scene.payload;
    if (!this.sizes.narrow || towers.length < 2) return "";
    return (towers.find(({ name }) => name === this.side) ?? towers.at(-1)).name;
  }

  /**
   * Whether an item is of a tower that is not shown now.
   * @param {any} item
   * @returns {boolean}
   */
  hides(item) {
    return leftOut(this.scene.items, item, this.shown, this.head);
  }

  /**
   * Show another tower, where it is one at a time.
   * @param {string} name
   * @param {boolean} [slowly]
   */
  turnTo(name, slowly = true) {
    if (this.open || name === this.shown) return;
    this.side = name;
    if (slowly) this.#move(undefined, undefined);
    else this.jump();
  }

  /**
   * @param {any} [open]
   * @param {any} [head]
   */
  go(open, head) {
    if (open !== this.open || head !== this.head) this.#move(open, head);
  }

  #move(open, head) {
    const [from, to] = [this.places, this.#layout(open, head)];
    this.target = to;
    const before = this.open;
    const turn = ++this.turn;
    this.head = head;
    // Known at once: what lies in it may come before the first frame of the way.
    this.open = open ?? before;
    animate(DURATION, (share) => {
      if (turn !== this.turn) return;
      this.places = between(from, to, share);
      this.open = open ?? (share < 1 ? before : undefined);
      this.share = !open ? 1 - share : before === open ? 1 : share;
      this.redraw();
      if (share >= 1) this.arrived();
    });
  }

  /**
   * The item at a place, and the part of it.
   * @param {number} x
   * @returns {{ item?: any, part?: any }}
   */
  at(x) {
    const within = (item) => {
      const { x: left, width } = this.places.get(item);
      return width > 0 && x >= left && x < left + width;
    };
    const item = this.scene.items.find(within);
    const part = item === this.open ? item?.parts?.find(within) : undefined;
    return { item, part };
  }
}
