import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { inspect } from "../../state/inspect.svelte";
import InspectPlace from "../inspect/InspectPlace.svelte";
import StatusBar from "./StatusBar.svelte";

let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    await app.start();
});

it("names what counts tokens, and counts all again with another one that is chosen", async () => {
    render(StatusBar);
    render(InspectPlace);
    await screen.findByTestId("inspect-tokens");
    expect(screen.getByTestId("tokenizer").textContent).toBe("Tokens by o200k_base");
    expect(screen.getByTestId("inspect-tokens").textContent).toContain("Counted with o200k_base");

    await fireEvent.keyDown(screen.getByTestId("tokenizer"), { key: "Enter" });
    await fireEvent.click(await screen.findByTestId("tokenizer-cl100k_base"));
    await waitFor(() => expect(screen.getByTestId("tokenizer").textContent).toBe("Tokens by cl100k_base"));
    await waitFor(() => expect(inspect.tokens?.all.tokenizer).toBe("cl100k_base"));
    expect(screen.getByTestId("inspect-tokens").textContent).toContain("Counted with cl100k_base");
    expect(fake.disk.settings.tokenizer).toBe("cl100k_base");
});
