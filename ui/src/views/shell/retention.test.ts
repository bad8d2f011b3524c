import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { retention, ruleOf } from "../../state/retention.svelte";
import { runs } from "../../state/runs.svelte";
import { toasts } from "../../state/toasts.svelte";
import TracePlace from "../trace/TracePlace.svelte";
import RetentionDialog from "./RetentionDialog.svelte";

let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    retention.open = false;
    runs.walk = null;
    runs.list = null;
    toasts.list = [];
    await app.load();
    app.go("traces");
});

const notes = () => toasts.list.map((toast) => (toast.type === "note" ? toast.text() : toast.error.message));
const told = () => screen.getByTestId("retention-told").textContent;

it("reads what is typed as a rule, and names what makes no sense", () => {
    const rule = (days: string, gigabytes: string) => ruleOf({ days, gigabytes, reviewedToo: false });
    expect(rule("", " ").rule).toEqual({ days: null, gigabytes: null, reviewedToo: false });
    expect(rule("30", "0.5").rule).toEqual({ days: 30, gigabytes: 0.5, reviewedToo: false });
    expect(rule("0", "-1").wrong).toEqual(["days", "gigabytes"]);
    expect(rule("1.5", ".").wrong).toEqual(["days", "gigabytes"]);
});

it("removes nothing until a rule is saved, shows before what goes, and says what went", async () => {
    const pruned: boolean[] = [];
    await retention.prune();
    expect(notes()).toEqual([]);

    render(TracePlace);
    render(RetentionDialog);
    await fireEvent.click(await screen.findByTestId("retention-open"));
    await waitFor(() => expect(told()).toContain("Nothing is removed now."));
    const plan = {
        runs: [{ run: "run-9", prompt: "An old one", at: 0, bytes: 2e6, why: "old" as const }],
        bytes: 5e9,
        freed: 2e6,
        reusable: 0,
        pinned: 1,
        reviewed: 0,
    };
    fake.on("run_prune", ({ retention: rule, dryRun }) => {
        pruned.push(dryRun);
        return (rule ?? app.settings.retention).days === null ? { ...plan, runs: [] } : plan;
    });
    await fireEvent.input(screen.getByTestId("retention-days"), { target: { value: "x" } });
    expect(screen.getByTestId("retention-save")).toHaveProperty("disabled", true);
    await fireEvent.input(screen.getByTestId("retention-days"), { target: { value: "30" } });
    await waitFor(() => expect(told()).toContain("1 run is removed when you save: about 2 MB of 5 GB."));
    expect(told()).toContain("An old one");
    expect(told()).toContain("1 pinned run is kept anyway.");
    expect(pruned).not.toContain(false);

    await fireEvent.click(screen.getByTestId("retention-save"));
    await waitFor(() => expect(notes()).toEqual(["1 run removed, 2 MB freed"]));
    expect(app.settings.retention).toEqual({ days: 30, gigabytes: null, reviewedToo: false });
    expect(retention.open).toBe(false);
});

it("pins a run in the list and in its head", async () => {
    render(TracePlace);
    const pin = (await screen.findAllByTestId("run-pin"))[0] ?? document.body;
    expect(pin.getAttribute("aria-pressed")).toBe("false");
    await fireEvent.click(pin);
    await waitFor(() => expect(screen.getAllByTestId("run-pin")[0]?.getAttribute("aria-pressed")).toBe("true"));
    const run = runs.list?.find((each) => each.pinned)?.id ?? "";
    await runs.trace(run);
    const head = await screen.findByTestId("run-view");
    const unpin = head.querySelector<HTMLElement>('[data-testid="run-pin"]') ?? document.body;
    expect(unpin.getAttribute("aria-pressed")).toBe("true");
    await fireEvent.click(unpin);
    await waitFor(() => expect(runs.list?.some((each) => each.pinned)).toBe(false));
});

it("opens without what the last form would have removed, or its error", async () => {
    const plan = { runs: [{ run: "run-9", prompt: "An old one", at: 0, bytes: 2e6, why: "old" as const }], bytes: 5e9, freed: 2e6 };
    retention.told = { ...plan, reusable: 0, pinned: 0, reviewed: 0 };
    retention.error = { code: "io", message: "no", messageZh: "不行", hint: null, hintZh: null, path: null, why: null };
    const looked = retention.show();
    expect([retention.told, retention.error]).toEqual([null, null]);
    await looked;
    expect(retention.told).not.toBeNull();
});
