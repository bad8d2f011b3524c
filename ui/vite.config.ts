import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
    plugins: [svelte(), svelteTesting()],
    clearScreen: false,
    server: { port: 5173, strictPort: true },
    build: {
        // WebKitGTK 2.42, WebView2 and WKWebView of macOS 14.5: all know `light-dark()`.
        target: ["safari17.5", "chrome123"],
        chunkSizeWarningLimit: 700,
    },
    test: {
        environment: "jsdom",
        include: ["src/**/*.test.ts"],
        setupFiles: ["src/test-setup.ts"],
        // Longer than one wait in a test (src/test-setup.ts), so that the wait says what did not come.
        testTimeout: 60_000,
        hookTimeout: 60_000,
        // The one style sheet that a test reads; others come out empty.
        css: { include: [/styles\//] },
    },
});
