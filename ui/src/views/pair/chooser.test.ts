import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import { indexOf } from "../../host/fake/run-index";
import { pairing } from "../../state/pair.svelte";
import { runs } from "../../state/runs.svelte";
import { summary } from "../../trace/sample";
import PairChooser from "./PairChooser.svelte";

it("offers the newest runs, and any that has the words that are typed", async () => {
    const fake = fakeHost();
    const all = Array.from({ length: 900 }, (_, at) => {
        const run = summary({ id: `run-${at}` });
        return { ...run, setup: { ...run.setup, prompt: at === 899 ? "How far is Köln?" : `Question ${at}` } };
    });
    fake.on("run_index", (args) => indexOf(all, args));
    setHost(fake);
    runs.list = null;
    pairing.choosing = "run-0";
    render(PairChooser);
    const offered = () => screen.getAllByTestId("run-choice").map((choice) => choice.dataset["run"]);
    await waitFor(() => expect(offered()[0]).toBe("run-1"));
    await fireEvent.input(screen.getByTestId("run-filter"), { target: { value: "köln" } });
    await waitFor(() => expect(offered()).toEqual(["run-899"]));
    await fireEvent.input(screen.getByTestId("run-filter"), { target: { value: "" } });
    await waitFor(() => expect(offered()[0]).toBe("run-1"));
    pairing.choosing = null;
});
