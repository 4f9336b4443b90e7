// Searches what Python sends: { index, queries }. For each query, the titles of the first three places.

import { readFileSync } from "node:fs";

import { answers, indexed } from "../../assets/components/search/places.js";

const { index, queries } = JSON.parse(readFileSync(0, "utf-8"));
const ready = indexed(index);
const found = queries.map((query) => answers(ready, query).slice(0, 3).map((one) => one.title));
process.stdout.write(JSON.stringify(found));
