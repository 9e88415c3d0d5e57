package org.railyard.lnet.sim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;

/**
 * A node without a stack: answers pings with what the test gives it, acknowledges what it is sent, pushes when told;
 * passes on what is for others, if told.
 */
public final class ScriptedPeer implements LndUpcalls {
    private static final int PID = ProcessId.LUSTRE_PID;

    private record Ni(Nid nid) implements LndNi {
        @Override
        public Net net() {
            return nid.net();
        }

        @Override
        public String interfaceName() {
            return "script0";
        }

        @Override
        public NetTunables tunables() {
            return NetTunables.DEFAULT;
        }

        @Override
        public Map<String, Integer> lndTunables() {
            return Map.of();
        }
    }

    private final TestNetwork network;
    private final Nid first;
    private final List<Nid> nids;
    private boolean forwards;
    private int answered;
    private byte[] answer = new byte[0];
    private boolean answersPuts;
    private byte @Nullable [] pushed;

    /** Puts a node with the given NIDs on a network. */
    public ScriptedPeer(TestNetwork network, Nid... nids) {
        this.network = network;
        this.first = nids[0];
        this.nids = List.of(nids);
        comesBack();
    }

    /** Can not be reached from now on. */
    public void goesAway() {
        nids.forEach(network.endpoints::remove);
    }

    /** Can be reached again. */
    public void comesBack() {
        nids.forEach(this::comesBack);
    }

    /** Can be reached by one of its NIDs. */
    public void comesBack(Nid nid) {
        network.endpoints.put(nid, new TestNetwork.Endpoint(new Ni(nid), this));
    }

    /** Can not be reached by one of its NIDs. */
    public void goesAway(Nid nid) {
        network.endpoints.remove(nid);
    }

    /** Passes on what is for other nodes on its nets, from now on. */
    public ScriptedPeer forwards() {
        forwards = true;
        return this;
    }

    /** Returns how many pings it answered. */
    public int answered() {
        return answered;
    }

    private int forward(LNetHeader header, LndReceiver receiver) {
        Taken taken = new Taken(header);
        receiver.receive(taken, header.payloadLength(), header.payloadLength());
        Nid own = nids.stream()
                .filter(nid -> nid.isOnNetOf(header.destNid()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no way to " + header.destNid()));
        TestNetwork.Packet packet = new TestNetwork.Packet(own, header, taken.bytes);
        network.record(packet);
        network.post(() -> {
            TestNetwork.Endpoint to = network.endpoints.get(header.destNid());
            if (to != null && !network.isLost(packet)) {
                TestLnd.arrive(network, to, own, header, MemorySegment.ofArray(taken.bytes), 0);
            }
        });
        return 0;
    }

    /** Announces NIDs from now on, all of them up; NI_STATUS is added to the features. */
    public ScriptedPeer says(int features, int sequence, Nid... nids) {
        List<PingInfo.Entry> entries = new ArrayList<>();
        for (Nid nid : nids) {
            entries.add(new PingInfo.Entry(nid, PingInfo.STATUS_UP));
        }
        PingInfo info = PingInfo.of(features, PID, sequence, entries);
        answer = new byte[info.bytes()];
        info.write(MemorySegment.ofArray(answer), 0);
        return this;
    }

    /** Announces NIDs from now on that no honest node would. */
    public void saysRaw(int features, int sequence, Nid... nids) {
        Nid[] honest = new Nid[nids.length];
        Arrays.fill(honest, first);
        says(features, sequence, honest);
        for (int i = 0; i < nids.length; i++) {
            MemorySegment.ofArray(answer).set(ValueLayout.JAVA_LONG_UNALIGNED, 32 + 16L * i, nids[i].nid4());
        }
    }

    /** Says that one of the NIDs is down. */
    public void down(Nid nid) {
        MemorySegment memory = MemorySegment.ofArray(answer);
        for (long at = 32; at < answer.length; at += 16) {
            if (memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at) == nid.nid4()) {
                memory.set(ValueLayout.JAVA_INT_UNALIGNED, at + 8, PingInfo.STATUS_DOWN);
            }
        }
    }

    /** Answers pings with the given bytes from now on. */
    public void saysBytes(byte[] bytes) {
        answer = bytes;
    }

    /** Acknowledges all PUTs from now on, not only pushes. */
    public void answersPuts() {
        answersPuts = true;
    }

    /** Returns the last push it was sent. */
    public PingInfo lastPush() {
        try {
            if (pushed == null) {
                throw new AssertionError("there was no push");
            }
            return PingInfo.read(MemorySegment.ofArray(pushed), 0, pushed.length, PingInfo.MAX_INTERFACES);
        } catch (WireFormatException e) {
            throw new AssertionError(e);
        }
    }

    /** Pushes what it says to a node, which must know it. */
    public void pushes(Nid to) {
        pushes(to, answer);
    }

    /** Pushes bytes to a node. */
    public void pushes(Nid to, byte[] bytes) {
        LNetHeader put = new LNetHeader();
        put.setPut(bytes.length, 17, 18, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 0);
        put.setRoute(to, PID, first, PID);
        network.inject(put, bytes);
        network.settle();
    }

    /** Makes itself known to a node. */
    public void knock(Nid at) {
        LNetHeader get = new LNetHeader();
        get.setGet(17, 18, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 4096);
        get.setRoute(at, PID, first, PID);
        network.inject(get, new byte[0]);
        network.settle();
    }

    @Override
    public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        if (forwards && !nids.contains(header.destNid())) {
            return forward(header, receiver);
        }
        LNetHeader back = new LNetHeader();
        back.setRoute(header.srcNid(), header.srcPid(), header.destNid(), PID);
        byte[] payload = new byte[0];
        if (header.type() == MessageType.PUT) {
            Taken taken = new Taken(header);
            receiver.receive(taken, header.payloadLength(), header.payloadLength());
            boolean push = header.portal() == Wire.RESERVED_PORTAL;
            if (push) {
                pushed = taken.bytes;
            }
            if (!header.wantsAck() || !(push || answersPuts)) {
                return 0;
            }
            back.setAck(header.interfaceCookie(), header.objectCookie(), header.matchBits(), header.payloadLength());
        } else {
            receiver.receive(null, 0, header.payloadLength());
            if (header.type() != MessageType.GET) {
                return 0;
            }
            answered++;
            payload = Arrays.copyOf(answer, Math.min(answer.length, header.sinkLength()));
            back.setReply(payload.length, header.interfaceCookie(), header.objectCookie());
        }
        network.sendRaw(back, payload);
        return 0;
    }

    private static final class Taken implements LndMessage {
        final byte[] bytes;
        private final LNetHeader header;

        Taken(LNetHeader header) {
            this.header = header;
            this.bytes = new byte[header.payloadLength()];
        }

        @Override
        public LNetHeader header() {
            return header;
        }

        @Override
        public Nid nextHop() {
            return header.destNid();
        }

        @Override
        public int nextHopPid() {
            return header.destPid();
        }

        @Override
        public int payloadLength() {
            return bytes.length;
        }

        @Override
        public ByteBuffer[] fragments() {
            return new ByteBuffer[] {ByteBuffer.wrap(bytes)};
        }

        @Override
        public int fragmentCount() {
            return 1;
        }

        @Override
        public long timeoutNanos() {
            return 0;
        }
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {}

    @Override
    public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {}

    @Override
    public void deviceEvent(LndNi ni, DeviceEvent event) {}
}
