// A picture from the learner's own disk: the browser makes it as small as the model's pictures are, so
// that no server is given the file.

import { pen } from "../shared/canvas.js";

/**
 * The pixels of a file; the whole of it fits, its sides keep their ratio. What stands dark on a light
 * ground is turned round, as the models have read light on dark.
 * @param {Blob} file
 * @param {{ rows: number, cols: number, channels: number }} size
 * @returns {Promise<Uint8Array>}
 */
export async function pixelsOf(file, { rows, cols, channels }) {
  const image = await createImageBitmap(file);
  // Halved until it is nearly small enough: each pixel is then a mean of all that it stands for.
  let drawn = new OffscreenCanvas(image.width, image.height);
  pen(drawn).drawImage(image, 0, 0);
  const share = Math.min(cols / image.width, rows / image.height);
  const [width, height] = [image.width * share, image.height * share].map((n) => Math.max(1, Math.round(n)));
  while (drawn.width > 2 * width || drawn.height > 2 * height) {
    const half = new OffscreenCanvas(Math.ceil(drawn.width / 2), Math.ceil(drawn.height / 2));
    pen(half).drawImage(drawn, 0, 0, half.width, half.height);
    drawn = half;
  }
  const small = new OffscreenCanvas(width, height);
  pen(small).drawImage(drawn, 0, 0, width, height);
  const { data } = pen(small).getImageData(0, 0, width, height);
  return placed(data, { width, height }, { rows, cols, channels });
}

/**
 * Pixels in the middle of a black sheet.
 * @param {Uint8ClampedArray} data red, green, blue and how opaque
 * @param {{ width: number, height: number }} size of them
 * @param {{ rows: number, cols: number, channels: number }} sheet
 * @returns {Uint8Array}
 */
export function placed(data, { width, height }, { rows, cols, channels }) {
  const found = new Uint8Array(rows * cols * channels);
  const [top, left] = [Math.floor((rows - height) / 2), Math.floor((cols - width) / 2)];
  let lightness = 0;
  for (let i = 0; i < height; i++) {
    for (let j = 0; j < width; j++) {
      const colour = [...data.subarray(4 * (i * width + j), 4 * (i * width + j) + 4)];
      const [red, green, blue] = colour.map((value) => value * (colour[3] / 255) + 255 - colour[3]);
      const grey = 0.299 * red + 0.587 * green + 0.114 * blue; // ITU-R BT.601
      const here = channels === 1 ? [grey] : [red, green, blue];
      lightness += grey;
      here.forEach((value, c) => {
        found[((top + i) * cols + left + j) * channels + c] = Math.round(value);
      });
    }
  }
  if (channels > 1 || lightness / (width * height) < 128) return found;
  for (let i = 0; i < height; i++) {
    for (let j = 0; j < width; j++) {
      const n = (top + i) * cols + left + j;
      found[n] = 255 - found[n];
    }
  }
  return found;
}
