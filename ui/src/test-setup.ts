import { beforeEach } from "vitest";
import { setHost } from "./host";
import { fakeHost } from "./host/fake";

beforeEach(() => {
    setHost(fakeHost());
});
