// Where the picture is seen from: the whole of it, or a layer gone into; and the way between.

import { animate } from "../shared/time.js";
import { between, layout, sizesOf } from "./layout.js";

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
    this.sizes = sizesOf(scene.items, room, scene.zoom, (tower, most) => scene.widthOf(tower, most));
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
    return layout(this.scene.items, open, this.room, this.sizes, head);
  }

  /**
   * @param {any} [open]
   * @param {any} [head]
   */
  go(open, head) {
    if (open === this.open && head === this.head) return;
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
