/** An error in a dialog says what failed and what to do, in the language that the window has. */
import { render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, expect, it } from "vitest";
import { setLocale } from "../i18n";
import ErrorText from "./ErrorText.svelte";

afterEach(() => setLocale("en"));

const ERROR = {
    code: "io",
    message: "cannot write /a",
    messageZh: "无法写入 /a",
    hint: "free some space",
    hintZh: "请腾出空间",
    path: "/a",
    why: null,
} as const;

it("says both in both languages", () => {
    render(ErrorText, { error: ERROR, testid: "error" });
    const lines = () => [screen.getByRole("alert").dataset["testid"], screen.getByRole("alert").textContent];
    expect(lines()).toEqual(["error", "cannot write /afree some space"]);
    flushSync(() => setLocale("zh-CN"));
    expect(lines()).toEqual(["error", "无法写入 /a请腾出空间"]);
});
