package org.railyard.conformance.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.QpCapabilities;

/** What the parts of the contract share: nodes, and pairs of ends that are connected. */
public abstract class VerbsContract {
    static final int SERVICE = 987;
    static final long SECOND = 1_000_000_000L;
    static final QpCapabilities USUAL = new QpCapabilities(32, 16, 4);

    private VerbsFixture fixture;

    /** For subclasses. */
    protected VerbsContract() {}

    /** Returns the provider to test, with a world of its own. */
    protected abstract VerbsFixture open();

    @BeforeEach
    void openFixture() {
        fixture = open();
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    VerbsFixture fixture() {
        return fixture;
    }

    /** Skips the test, with the reason, if the provider or the fixture can not do what it needs. */
    void need(VerbsCapability... needed) {
        for (VerbsCapability capability : needed) {
            Optional<String> reason = fixture.lacks(capability);
            if (reason.isPresent()) {
                Assumptions.abort("no " + capability + ": " + reason.get());
            }
        }
    }

    void await(String what, BooleanSupplier condition) {
        if (!fixture.await(condition)) {
            throw new AssertionError("did not happen: " + what);
        }
    }

    void elapse(String what, BooleanSupplier condition) {
        if (!fixture.elapse(condition)) {
            throw new AssertionError("did not happen, however much time went by: " + what);
        }
    }

    /** Two ends of a connection that is up. */
    record Pair(End one, End other) {}

    Pair connect() {
        return connect(ConnectParameters.DEFAULT, USUAL, 8);
    }

    /**
     * Connects nodes 0 and 1.
     *
     * @param receives how many receives the other side posts before, of {@link End#SLOT} bytes
     */
    Pair connect(ConnectParameters parameters, QpCapabilities capabilities, int receives) {
        return connect(new Party(fixture, 0), new Party(fixture, 1), 1, parameters, capabilities, receives);
    }

    Pair connect(
            Party asking,
            Party asked,
            int node,
            ConnectParameters parameters,
            QpCapabilities capabilities,
            int receives) {
        if (!asked.isListening()) {
            asked.listen(fixture.address(node, SERVICE));
        }
        End one = asking.resolve(fixture.address(node, SERVICE));
        one.prepare(capabilities);
        one.postReceives(receives);
        one.connect(parameters, MemorySegment.NULL);
        End other = asked.nextRequest();
        other.prepare(capabilities);
        other.postReceives(receives);
        other.accept(parameters, MemorySegment.NULL);
        await("the connection", () -> one.had(CmEvent.Type.ESTABLISHED) && other.had(CmEvent.Type.ESTABLISHED));
        return new Pair(one, other);
    }
}
