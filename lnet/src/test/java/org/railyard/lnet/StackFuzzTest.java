package org.railyard.lnet;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.PingInfo;

/**
 * A node that is sent anything at all: headers of any bytes, and from one peer answers and pushes that are nearly
 * right.
 */
class StackFuzzTest {
    private static final Nid A = Nid.parse("10.0.0.1@tcp");
    private static final Nid B = Nid.parse("10.0.0.2@tcp");
    private static final Nid C = Nid.parse("10.0.1.2@tcp");
    private static final Nid[] KNOWN = {A, B, C, Nid.ANY, Nid.LOOPBACK, Nid.parse("10.0.0.3@tcp1")};

    @FuzzTest(maxDuration = "30s")
    void nothingFromTheWireHurts(FuzzedDataProvider data) {
        TestNetwork net = new TestNetwork();
        // A router, so that what is for others goes further than to the first check.
        Settings settings =
                Settings.of(CompatProfile.DOCUMENTS).with(Tunable.FORWARDING, 1).with(Tunable.SMALL_BUFFERS, 2);
        LNet a = net.node(settings, A.toString(), "10.0.0.4@tcp1");
        ScriptedPeer peer = new ScriptedPeer(net, B, C);
        a.attach(
                MeConfig.any(33),
                MdConfig.of(Arena.ofAuto().allocate(64))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.TRUNCATE, MdOption.MANAGE_REMOTE));
        for (int i = 0; i < 8 && data.remainingBytes() > 0; i++) {
            step(net, a, peer, data);
        }
        net.pass(2);
        if (!a.routing().buffers().stream().allMatch(pool -> pool.credits() == pool.buffers())) {
            throw new AssertionError(
                    "router buffers are missing: " + a.routing().buffers());
        }
        net.close();
        if (a.messagesInUse() != 0) {
            throw new AssertionError(a.messagesInUse() + " messages are left");
        }
    }

    private static void step(TestNetwork net, LNet a, ScriptedPeer peer, FuzzedDataProvider data) {
        switch (data.consumeInt(0, 6)) {
            case 0 -> a.discover(data.pickValue(List.of(B, C)), data.consumeBoolean());
            case 1 -> a.get(ProcessId.of(C), 33, 7, Arena.ofAuto().allocate(data.consumeInt(0, 64)));
            case 2 -> peer.saysBytes(announcement(data));
            case 3 -> peer.pushes(A, announcement(data));
            case 4 -> peer.knock(A);
            default -> anything(net, data);
        }
        net.settle();
    }

    /** A ping info of some NIDs, a few bytes of it wrong. */
    private static byte[] announcement(FuzzedDataProvider data) {
        List<PingInfo.Entry> entries = new ArrayList<>();
        for (int count = data.consumeInt(0, 6); count > 0; count--) {
            entries.add(new PingInfo.Entry(B, PingInfo.STATUS_UP));
        }
        PingInfo info = PingInfo.of(data.consumeInt(0, 255), ProcessId.LUSTRE_PID, data.consumeInt(), entries);
        byte[] bytes = new byte[info.bytes()];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        info.write(memory, 0);
        for (int i = 0; i < entries.size(); i++) {
            Nid nid = KNOWN[data.consumeInt(0, KNOWN.length - 1)];
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 32 + 16L * i, nid.nid4());
        }
        for (int wrong = data.consumeInt(0, 3); wrong > 0; wrong--) {
            bytes[data.consumeInt(0, bytes.length - 1)] = data.consumeByte();
        }
        return bytes;
    }

    private static void anything(TestNetwork net, FuzzedDataProvider data) {
        LNetHeader header = new LNetHeader();
        byte[] payload = data.consumeBytes(data.consumeInt(0, 100));
        if (data.consumeBoolean()) {
            header.setPut(payload.length, 1, 2, data.consumeInt(0, 64), data.consumeLong(), data.consumeInt(), 0);
            Nid to = data.consumeBoolean() ? A : data.pickValue(KNOWN);
            header.setRoute(to, ProcessId.LUSTRE_PID, data.pickValue(KNOWN), ProcessId.LUSTRE_PID);
        } else if (!readHeader(header, data.consumeBytes(LNetHeader.NID4_BYTES))
                || (header.payloadLength() > payload.length && header.payloadLength() <= Wire.MTU)) {
            return;
        }
        net.inject(data.consumeBoolean() ? B : header.srcNid(), header, payload, A);
    }

    private static boolean readHeader(LNetHeader header, byte[] bytes) {
        if (bytes.length < LNetHeader.NID4_BYTES) {
            return false;
        }
        try {
            header.read(MemorySegment.ofArray(bytes), 0, false);
            return true;
        } catch (WireFormatException e) {
            return false;
        }
    }
}
