import { describe, expect, it } from "vitest";

import type { Effect } from "../generated/api";
import { allow, checkDraft, deny, draft, isSameThing, stub } from "./approval";
import { call } from "./sample";

const asked = call("run_skill_script", '{"value":1,"factor":2.20462}');

describe("allow", () => {
    it("sends nothing back where the user changed nothing", () => {
        expect(allow(asked, draft(asked), true)).toEqual({ type: "allow", arguments: null, forRun: true });
    });

    it("sends what the user wrote where it is an object", () => {
        const held = { ...draft(asked), arguments: '{"value":2}' };
        expect(allow(asked, held, false)).toEqual({ type: "allow", arguments: '{"value":2}', forRun: false });
    });

    it("sends nothing while the arguments are broken", () => {
        expect(allow(asked, { ...draft(asked), arguments: '{"value":' }, false)).toBeNull();
        expect(allow(asked, { ...draft(asked), arguments: "[2]" }, false)).toBeNull();
        expect(checkDraft(asked, { ...draft(asked), arguments: "[2]" })).toMatchObject({ ok: false, mistake: "notObject" });
    });

    it("lets arguments through that the model broke itself", () => {
        const broken = call("load_skill", "{skillName");
        expect(allow(broken, draft(broken), false)).toEqual({ type: "allow", arguments: null, forRun: false });
    });
});

describe("deny and stub", () => {
    it("gives a reason only where there is one", () => {
        expect(deny(draft(asked))).toEqual({ type: "deny", reason: null });
        expect(deny({ ...draft(asked), reason: " not today " })).toEqual({ type: "deny", reason: "not today" });
    });

    it("keeps a stub to the byte", () => {
        expect(stub({ ...draft(asked), stub: " 2.2\n" })).toEqual({ type: "stub", text: " 2.2\n" });
    });
});

describe("an answer for all", () => {
    const script: Effect = {
        type: "runScript",
        skill: "unit-converter",
        script: "scripts/convert.py",
        path: "/skills/unit-converter/scripts/convert.py",
        interpreter: "python3",
        arguments: ["1"],
        approval: true,
        workingDirectory: null,
    };
    const about = (change: Partial<Parameters<typeof isSameThing>[0]>) =>
        isSameThing({ asked: script, leadsTo: null, digest: "aa" }, { asked: script, leadsTo: null, digest: "aa", ...change });

    it("is for the same script, with any arguments", () => {
        expect(about({ asked: { ...script, arguments: ["2"] } })).toBe(true);
    });

    it("is for the same command and nothing else, to the letter", () => {
        const shell = (command: string, timeout: number | null = null) => ({
            asked: { type: "shell", command, workingDirectory: null, timeout } satisfies Effect,
            leadsTo: null,
            digest: null,
        });
        expect([isSameThing(shell("ls"), shell("ls")), isSameThing(shell("ls"), shell("ls; curl x"))]).toEqual([true, false]);
        expect(isSameThing(shell("ls", 120), shell("ls", 900))).toBe(true);
    });

    it("is not for a script that changed, or that is another one by now", () => {
        expect([about({ digest: "bb" }), about({ leadsTo: "/elsewhere" }), about({ asked: { ...script, path: "/other" } })]).toEqual([
            false,
            false,
            false,
        ]);
    });
});
