package org.railyard.conformance;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.LoopbackLnd;

/** The transport of {@code 0@lo}: everything happens within the send. */
final class LoopbackFixture implements LndFixture {
    private static final Map<Capability, String> LACKS = new EnumMap<>(Map.of(
            Capability.NODES_APART, "0@lo leads back to the node itself",
            Capability.START_AND_STOP, "0@lo is there as long as the node",
            Capability.ANSWER_LATER, "the payload is copied within the send; the stack answers headers on 0@lo at once",
            Capability.LONG_CHAINS, "a send is an arrival; it is the stack that takes turns",
            Capability.LARGE_NIDS, "there is only one NID",
            Capability.BULK_IN_PLACE, "nothing is ever on the way",
            Capability.DEVICE_EVENTS, "there is no device",
            Capability.STALL, "there is no path",
            Capability.RESET, "there are no connections",
            Capability.TUNABLES, "there is nothing to tune"));

    @Override
    public Optional<String> lacks(Capability capability) {
        return Optional.ofNullable(LACKS.get(capability));
    }

    @Override
    public Lnd start(int node, LndUpcalls stack) {
        return new LoopbackLnd(stack);
    }

    @Override
    public Nid nid(int node, int rail) {
        return Nid.LOOPBACK;
    }

    @Override
    public NiRequest withoutDevice() {
        return NiRequest.ofInterface(Net.LO, "eth0");
    }

    @Override
    public NiBinding resolve(Lnd lnd, NiRequest request) {
        // The node makes this one NI by itself.
        return new NiBinding(Nid.LOOPBACK, "lo", -1);
    }

    @Override
    public long timeoutNanos() {
        return 0;
    }

    @Override
    public long nanoTime() {
        // Nothing takes time.
        return 0;
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return condition.getAsBoolean();
    }

    @Override
    public boolean elapse(BooleanSupplier condition) {
        return condition.getAsBoolean();
    }

    @Override
    public void close() {}
}
