import { expect, it } from "vitest";
import { securityOf } from "./package-words";

it("says that rules of security found nothing only if they did not find a hint either", () => {
    const said = (errors: number, warnings: number, hints: number): string =>
        securityOf({ securityErrors: errors, securityWarnings: warnings, securityHints: hints });
    expect(said(0, 0, 0)).toBe("Security rules find nothing. Still, read its scripts before you run them.");
    expect(said(0, 0, 1)).toBe("Security rules find 1 hint, and no error or warning. Still, read its scripts before you run them.");
    expect(said(0, 1, 2)).toBe("Security: 0 errors, 1 warning, 2 hints");
    expect(said(2, 0, 0)).toBe("Security: 2 errors, 0 warnings, 0 hints");
});
