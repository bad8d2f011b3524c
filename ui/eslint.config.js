import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

const TAURI = { group: ["@tauri-apps/*"], message: "Only host/ knows what the window is." };
const HOST = { group: ["**/host"], importNames: ["host"], message: "Only state/ calls the host." };

export default defineConfig(
    { ignores: ["bench/", "browser/", "dist/", "dist-replay/", "vite.replay.config.ts", "src/generated/"] },
    js.configs.recommended,
    ts.configs.strictTypeChecked,
    svelte.configs.recommended,
    prettier,
    svelte.configs.prettier,
    {
        languageOptions: {
            globals: globals.browser,
            parserOptions: { projectService: true, extraFileExtensions: [".svelte"], tsconfigRootDir: import.meta.dirname },
        },
        linterOptions: { reportUnusedDisableDirectives: "error" },
        rules: {
            eqeqeq: ["error", "always", { null: "ignore" }],
            "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
            "@typescript-eslint/restrict-template-expressions": [
                "error",
                { allowNumber: true, allowBoolean: true, allowNullish: false, allowAny: false },
            ],
            "@typescript-eslint/switch-exhaustiveness-check": "error",
            "no-restricted-imports": ["error", { patterns: [TAURI, HOST] }],
            "no-restricted-syntax": ["error", "TSEnumDeclaration", "ExportDefaultDeclaration"],

            // A question of taste: `() => void something()` and `() => something()` read alike.
            "@typescript-eslint/no-confusing-void-expression": "off",
            // An effect reads a state in order to run again: `void steps`.
            "@typescript-eslint/no-meaningless-void-operator": "off",
            // `async` also marks that a function answers later, as the real one that it replaces does.
            "@typescript-eslint/require-await": "off",
            // Some patterns are about control characters, and about combining ones by themselves.
            "no-control-regex": "off",
            "no-misleading-character-class": "off",
            // A set or a map in a state is replaced, never changed.
            "svelte/prefer-svelte-reactivity": "off",
            // `{" "}` keeps a space that Svelte would trim.
            "svelte/no-useless-mustaches": "off",
        },
    },
    {
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    },
    {
        // Arguments that a component passes to a callback have no type here; svelte-check knows it and checks it.
        files: ["**/*.svelte"],
        rules: {
            "@typescript-eslint/no-unsafe-argument": "off",
            "@typescript-eslint/no-unsafe-assignment": "off",
            "@typescript-eslint/no-unsafe-call": "off",
            "@typescript-eslint/no-unsafe-member-access": "off",
            "@typescript-eslint/no-unsafe-return": "off",
        },
    },
    { files: ["src/state/**"], rules: { "no-restricted-imports": ["error", { patterns: [TAURI] }] } },
    { files: ["src/host/**", "src/main.ts"], rules: { "no-restricted-imports": "off" } },
    {
        // The host fails with an `ApiError`, which is plain data.
        files: ["src/host/**", "**/*.test.ts"],
        rules: { "@typescript-eslint/only-throw-error": "off", "@typescript-eslint/prefer-promise-reject-errors": "off" },
    },
    {
        // As `unwrap` in Rust tests: a missing value fails the test.
        files: ["**/*.test.ts"],
        rules: { "@typescript-eslint/no-non-null-assertion": "off" },
    },
    {
        files: ["*.js", "*.ts"],
        extends: [ts.configs.disableTypeChecked],
        rules: { "no-restricted-syntax": "off", "@typescript-eslint/consistent-type-assertions": "off" },
    },
);
