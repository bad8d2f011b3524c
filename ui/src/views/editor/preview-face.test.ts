import { expect, test } from "vitest";
import { CODE_FACE, faceBytes } from "./preview-face";
import { previewStyle } from "./preview-style";

test("the preview brings the face of its code, and sets code in it first", () => {
    expect(new TextDecoder().decode(faceBytes().slice(0, 4))).toBe("wOF2");
    const families = [...previewStyle.matchAll(/(?:font-family:|11px) "([^"]+)"/g)].map(([, first]) => first);
    expect(families).toEqual([CODE_FACE, CODE_FACE]);
});
