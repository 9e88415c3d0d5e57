package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;

/**
 * Two nodes, {@code a} and {@code b}, of one NI each, that have discovered each other. Checks in the end that nothing
 * was left behind.
 */
public abstract class TwoNodes {
    static final Nid A = Nid.parse("10.0.0.1@tcp");
    static final Nid B = Nid.parse("10.0.0.2@tcp");
    static final ProcessId TO_A = ProcessId.of(A);
    static final ProcessId TO_B = ProcessId.of(B);
    static final int PORTAL = 33;
    static final long BITS = 0x1234;

    TestNetwork net = new TestNetwork();
    LNet a;
    LNet b;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    TwoNodes() {}

    @BeforeEach
    void start() {
        net = network();
        a = net.node(settings(), nidsOfA());
        b = net.node(settings(), nidsOfB());
        net.await(a.discover(B, false));
        net.takeLog();
    }

    TestNetwork network() {
        return new TestNetwork();
    }

    /** The NIDs of {@code a}. */
    String[] nidsOfA() {
        return new String[] {A.toString()};
    }

    /** The NIDs of {@code b}. */
    String[] nidsOfB() {
        return new String[] {B.toString()};
    }

    /** The tunables of both. */
    Settings settings() {
        return Settings.of(CompatProfile.DOCUMENTS);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        net.hold(header -> false);
        net.releaseAll();
        net.late().complete();
        net.close();
        for (LNet node : new LNet[] {a, b}) {
            if (node.messagesInUse() != 0) {
                throw new AssertionError(node.nids() + " has " + node.messagesInUse() + " messages in use");
            }
            for (NiInfo ni : node.nis()) {
                if (ni.credits() != ni.maxCredits()) {
                    throw new AssertionError(ni + " has not got its credits back");
                }
            }
            for (PeerInfo peer : node.peers()) {
                for (PeerInfo.PeerNiInfo ni : peer.nis()) {
                    if (ni.credits() < 0 || ni.queuedBytes() != 0) {
                        throw new AssertionError(ni + " has not got its credits back");
                    }
                }
            }
        }
    }

    static MemorySegment memory(int bytes) {
        return Arena.ofAuto().allocate(bytes);
    }

    /** Memory that holds 0, 1, 2 … */
    static MemorySegment counting(int bytes) {
        MemorySegment memory = memory(bytes);
        for (int i = 0; i < bytes; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) i);
        }
        return memory;
    }

    static byte[] bytes(MemorySegment memory) {
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    /** Makes a descriptor on {@code b} that takes PUTs of any length up to its own, whatever the offset was before. */
    Md sink(long bits, int length, Recorder recorder) {
        return b.attach(
                MeConfig.of(PORTAL, bits),
                MdConfig.of(memory(length))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(recorder));
    }

    /** Makes a descriptor on {@code a} to send from. */
    Md source(int length, Recorder recorder) {
        return a.bind(MdConfig.of(counting(length)).withHandler(recorder));
    }

    void put(Md md, boolean ack) {
        put(md, ack, BITS, 0);
    }

    void put(Md md, boolean ack, long bits, int offset) {
        a.put(md, ack, Nid.ANY, TO_B, PORTAL, bits, offset, 0);
        net.settle();
    }

    void get(Md md, long bits, int offset) {
        a.get(md, Nid.ANY, TO_B, PORTAL, bits, offset);
        net.settle();
    }

    /** Sends bytes from {@code a} to {@code b} without an ACK. */
    void put(int length, long bits, int offset) {
        put(source(length, new Recorder()), false, bits, offset);
    }

    NiInfo niOf(LNet node) {
        return node.nis().getFirst();
    }

    PeerInfo.PeerNiInfo peerNiOf(LNet node) {
        return node.peers().getFirst().nis().getFirst();
    }

    /** Expects a call to fail at once. */
    public static void expect(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    /** Makes a header from {@code a} to {@code b}, to be filled in. */
    static LNetHeader fromAToB() {
        LNetHeader header = new LNetHeader();
        header.setRoute(B, ProcessId.LUSTRE_PID, A, ProcessId.LUSTRE_PID);
        return header;
    }
}
