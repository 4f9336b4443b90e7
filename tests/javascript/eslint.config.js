import js from "@eslint/js";
import jsdoc from "eslint-plugin-jsdoc";
import globals from "globals";

// What others import has types, which tsc checks (tsconfig.json).
const typed = {
  "jsdoc/require-jsdoc": ["error", {
    publicOnly: true,
    require: { ArrowFunctionExpression: true, ClassDeclaration: false, FunctionDeclaration: true },
    contexts: ["MethodDefinition:not([key.type='PrivateIdentifier']):not([kind='get'])"],
  }],
  "jsdoc/require-param": ["error", { checkDestructured: false }],
  "jsdoc/require-param-name": "error",
  "jsdoc/require-param-type": "error",
  "jsdoc/check-param-names": ["error", { checkDestructured: false }],
  "jsdoc/require-returns": "error",
  "jsdoc/require-returns-type": "error",
  "jsdoc/check-syntax": "error",
  "jsdoc/check-tag-names": ["error", { typed: false }],
  "jsdoc/valid-types": "error",
};

export default [
  { ignores: ["**/node_modules/", "**/made/"] },
  js.configs.recommended,
  {
    rules: {
      "eqeqeq": ["error", "always", { null: "ignore" }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "max-lines": ["error", 300],
      "max-len": ["error", { code: 110 }],
    },
  },
  {
    files: ["**/components/**/*.js"],
    languageOptions: { globals: globals.browser },
    plugins: { jsdoc },
    settings: { jsdoc: { mode: "typescript" } },
    rules: typed,
  },
  { files: ["tests/javascript/*.js"], languageOptions: { globals: globals.node } },
];
