/**
 * The replay of one run as one file that needs no network: script and styles are in it, and nothing else may be loaded. The api puts a run
 * in place of `RUN`.
 */
import { createHash } from "node:crypto";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

function inOneFile(): Plugin {
    return {
        name: "in-one-file",
        enforce: "post",
        generateBundle(_, bundle) {
            const page = bundle["replay.html"];
            if (page?.type !== "asset") {
                throw new Error("the page is missing");
            }
            let script = "";
            let style = "";
            for (const [name, part] of Object.entries(bundle)) {
                if (part.type === "chunk") {
                    script += part.code;
                } else if (name.endsWith(".css")) {
                    style += part.source.toString();
                } else if (name !== "replay.html") {
                    throw new Error(`${name} would be a file of its own`);
                }
                if (name !== "replay.html") {
                    delete bundle[name];
                }
            }
            // Nothing in a script or a style may end it.
            script = script.replaceAll("</", "<\\/").replaceAll("<!--", "\\x3c!--");
            style = style.replaceAll("</", "<\\/");
            const hash = createHash("sha256").update(script).digest("base64");
            const policy = [
                "default-src 'none'",
                `script-src 'sha256-${hash}'`,
                "style-src 'unsafe-inline'",
                "img-src data:",
                "font-src data:",
                "base-uri 'none'",
                "form-action 'none'",
            ].join("; ");
            const place = />\s*RUN\s*<\/script>/;
            if (!place.test(page.source.toString())) {
                throw new Error("the page has no place for a run");
            }
            page.source = page.source
                .toString()
                .replace(place, ">RUN</script>")
                .replace(/\s*<script type="module"[^>]*src=[^>]*><\/script>/, "")
                .replace(/\s*<link rel="(stylesheet|modulepreload)"[^>]*>/g, "")
                .replace("<head>", () => `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}" />`)
                .replace("</head>", () => `<style>${style}</style>\n</head>`)
                .replace("</body>", () => `<script type="module">${script}</script>\n</body>`);
        },
    };
}

export default defineConfig({
    plugins: [svelte(), inOneFile()],
    clearScreen: false,
    build: {
        outDir: "dist-replay",
        target: ["safari17.5", "chrome123"],
        modulePreload: false,
        cssCodeSplit: false,
        assetsInlineLimit: 10_000_000,
        chunkSizeWarningLimit: 2_000,
        rolldownOptions: { input: "replay.html", output: { codeSplitting: false } },
    },
});
