/** @type {import("prettier").Config} */
export default {
    plugins: ["prettier-plugin-svelte"],
    tabWidth: 4,
    // Rust has 120; elements and messages need more.
    printWidth: 140,
    bracketSameLine: true,
    overrides: [
        // As npm writes them.
        { files: "*.json", options: { tabWidth: 2 } },
    ],
};
