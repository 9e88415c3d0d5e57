package org.railyard.itest.recorded;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.itest.talk.Item;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.socklnd.wire.ConnectionRequest;
import org.railyard.socklnd.wire.Hello;
import org.railyard.socklnd.wire.ProtocolVersion;

/**
 * How a recorded conversation and a live one correspond. They may differ in NIDs, by a given rule, and in what our node
 * chooses freely: incarnations, wire handles, the sequence number it starts with.
 */
final class Correspondence {
    private final UnaryOperator<Nid> nids;
    private final Predicate<Nid> others;
    private final Twins<Long> incarnations = new Twins<>();
    private final Twins<Long> interfaceCookies = new Twins<>();
    private final Twins<Item.Handle> handles = new Twins<>();
    private @Nullable Integer sequenceShift;

    /**
     * Begins a conversation.
     *
     * @param nids the NID that stands for a recorded one
     * @param others tells whether a recorded NID is of a node that is played: what our node says in its name was only
     *     passed on
     */
    Correspondence(UnaryOperator<Nid> nids, Predicate<Nid> others) {
        this.nids = nids;
        this.others = others;
    }

    /** Returns what the played node has to say so that it means live what it meant then. */
    Item toLive(Item recorded) {
        return switch (recorded) {
            case Item.Open open -> open;
            case Item.Request(var request) ->
                new Item.Request(new ConnectionRequest(request.order(), request.version(), nids.apply(request.nid())));
            case Item.Greeting(var hello) -> new Item.Greeting(toLive(hello));
            case Item.Noop noop -> noop;
            case Item.Message message -> toLive(message);
            case Item.End end -> end;
        };
    }

    private Hello toLive(Hello hello) {
        Nid dst = hello.version() == ProtocolVersion.V1 ? hello.dstNid() : nids.apply(hello.dstNid());
        return new Hello(
                hello.order(),
                hello.version(),
                nids.apply(hello.srcNid()),
                dst,
                hello.srcPid(),
                hello.dstPid(),
                hello.srcIncarnation(),
                hello.dstIncarnation(),
                hello.typeNumber(),
                hello.ips());
    }

    private Item toLive(Item.Message recorded) {
        LNetHeader header = new LNetHeader();
        LNetHeader from = recorded.header();
        header.copyFrom(from);
        header.setRoute(nids.apply(from.destNid()), from.destPid(), nids.apply(from.srcNid()), from.srcPid());
        if (!recorded.isRequest()) {
            Item.Handle live = handles.live(recorded.handle());
            if (live == null) {
                throw new AssertionError("the recorded node answers what our node has not sent: " + recorded);
            }
            if (from.type() == MessageType.ACK) {
                header.setAck(live.interfaceCookie(), live.objectCookie(), from.matchBits(), from.mlength());
            } else {
                header.setReply(from.payloadLength(), live.interfaceCookie(), live.objectCookie());
            }
        }
        byte[] payload = SelftestPayload.moved(recorded.payload(), from, nids);
        PingInfo info = pingInfo(recorded);
        if (info != null) {
            payload = bytes(toLive(info, info.sequence()));
        }
        return new Item.Message(
                recorded.version(), header, payload, recorded.cookie0(), recorded.cookie1(), recorded.checksummed());
    }

    private PingInfo toLive(PingInfo info, int sequence) {
        return PingInfo.of(
                info.features(),
                info.pid(),
                sequence,
                info.entries().stream()
                        .map(entry -> new PingInfo.Entry(nids.apply(entry.nid()), entry.status()))
                        .toList());
    }

    private static byte[] bytes(PingInfo info) {
        byte[] bytes = new byte[info.bytes()];
        info.write(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }

    private static @Nullable PingInfo pingInfo(Item.Message message) {
        LNetHeader header = message.header();
        boolean push = header.type() == MessageType.PUT
                && header.portal() == Wire.RESERVED_PORTAL
                && header.matchBits() == Wire.PING_MATCH_BITS;
        if (!push && (header.type() != MessageType.REPLY || !beginsAsPingInfo(message.payload()))) {
            return null;
        }
        try {
            return PingInfo.read(
                    MemorySegment.ofArray(message.payload()), 0, message.payload().length, PingInfo.MAX_INTERFACES);
        } catch (WireFormatException e) {
            throw new IllegalStateException("no ping info in " + message, e);
        }
    }

    private static boolean beginsAsPingInfo(byte[] payload) {
        return payload.length >= Integer.BYTES && MemorySegment.ofArray(payload).get(Wire.LE32, 0) == PingInfo.MAGIC;
    }

    /**
     * Compares what our node said with what the kernel said in its place.
     *
     * @return one line per difference
     */
    List<String> compare(Item recorded, Item live) {
        Differences found = new Differences();
        switch (recorded) {
            case Item.Request request
            when live instanceof Item.Request now ->
                found.check("request", ((Item.Request) toLive(request)).request(), now.request());
            case Item.Greeting greeting
            when live instanceof Item.Greeting now -> compare(greeting.hello(), now.hello(), found);
            case Item.Noop noop when live instanceof Item.Noop now -> found.check("frame", noop, now);
            case Item.Message message when live instanceof Item.Message now -> compare(message, now, found);
            case Item.Open open when live instanceof Item.Open -> {}
            case Item.End end when live instanceof Item.End -> {}
            default -> found.check("item", recorded, live);
        }
        return found.lines;
    }

    private void compare(Hello recorded, Hello live, Differences found) {
        Hello expected = toLive(recorded);
        found.check("hello byte order", expected.order(), live.order());
        found.check("hello version", expected.version(), live.version());
        found.check("hello source NID", expected.srcNid(), live.srcNid());
        found.check("hello destination NID", expected.dstNid(), live.dstNid());
        found.check("hello source pid", expected.srcPid(), live.srcPid());
        found.check("hello destination pid", expected.dstPid(), live.dstPid());
        found.check("hello destination incarnation", expected.dstIncarnation(), live.dstIncarnation());
        found.check("hello connection type", expected.typeNumber(), live.typeNumber());
        found.check("hello addresses", expected.ips(), live.ips());
        found.checkTwins("incarnation", incarnations, recorded.srcIncarnation(), live.srcIncarnation());
    }

    private void compare(Item.Message recorded, Item.Message live, Differences found) {
        LNetHeader then = recorded.header();
        LNetHeader now = live.header();
        found.check("version", recorded.version(), live.version());
        found.check("type", then.type(), now.type());
        found.check("destination NID", nids.apply(then.destNid()), now.destNid());
        found.check("source NID", nids.apply(then.srcNid()), now.srcNid());
        found.check("destination pid", then.destPid(), now.destPid());
        found.check("source pid", then.srcPid(), now.srcPid());
        found.check("payload length", then.payloadLength(), now.payloadLength());
        found.check(
                "zero-copy cookies",
                List.of(recorded.cookie0(), recorded.cookie1()),
                List.of(live.cookie0(), live.cookie1()));
        found.check("checksummed", recorded.checksummed(), live.checksummed());
        if (then.type() != now.type()) {
            return;
        }
        switch (then.type()) {
            case ACK -> {
                found.check("match bits", hex(then.matchBits()), hex(now.matchBits()));
                found.check("mlength", then.mlength(), now.mlength());
            }
            case PUT -> {
                found.check("portal", then.portal(), now.portal());
                found.check("match bits", hex(then.matchBits()), hex(now.matchBits()));
                found.check("header data", hex(then.hdrData()), hex(now.hdrData()));
                found.check("offset", then.offset(), now.offset());
            }
            case GET -> {
                found.check("portal", then.portal(), now.portal());
                found.check("match bits", hex(then.matchBits()), hex(now.matchBits()));
                found.check("offset", then.offset(), now.offset());
                found.check("sink length", then.sinkLength(), now.sinkLength());
            }
            case REPLY, HELLO -> {}
        }
        compareHandles(recorded, live, found);
        comparePayloads(recorded, live, found);
    }

    private void compareHandles(Item.Message then, Item.Message now, Differences found) {
        Item.Handle recorded = then.handle();
        Item.Handle live = now.handle();
        if (!then.isRequest() || recorded.objectCookie() == Wire.NO_COOKIE) {
            // The handle is the kernel's, or there is none.
            found.check("wire handle", recorded, live);
        } else {
            found.checkTwins("interface cookie", interfaceCookies, recorded.interfaceCookie(), live.interfaceCookie());
            found.checkTwins("wire handle", handles, recorded, live);
        }
    }

    private void comparePayloads(Item.Message recorded, Item.Message live, Differences found) {
        PingInfo then = pingInfo(recorded);
        if (then == null) {
            byte[] expected = SelftestPayload.moved(SelftestPayload.withoutChoices(recorded), recorded.header(), nids);
            byte[] said = SelftestPayload.withoutChoices(live);
            found.check(
                    "payload",
                    HexFormat.of().formatHex(expected),
                    HexFormat.of().formatHex(said));
            return;
        }
        PingInfo now = Objects.requireNonNull(pingInfo(live));
        boolean passedOn = others.test(recorded.header().srcNid());
        if (sequenceShift == null && !passedOn) {
            sequenceShift = now.sequence() - then.sequence();
        }
        PingInfo expected = toLive(then, then.sequence() + (passedOn || sequenceShift == null ? 0 : sequenceShift));
        found.check("features of ping info", hex(expected.features()), hex(now.features()));
        found.check("sequence number of ping info", expected.sequence(), now.sequence());
        found.check("NIDs of ping info", expected.entries(), now.entries());
        // Whatever else there is in it.
        found.check("bytes of ping info", Arrays.toString(bytes(expected)), Arrays.toString(live.payload()));
    }

    private static String hex(long bits) {
        return "0x" + Long.toHexString(bits);
    }

    private static final class Differences {
        private final List<String> lines = new ArrayList<>();

        void check(String what, Object expected, Object found) {
            if (!expected.equals(found)) {
                lines.add(String.format(Locale.ROOT, "%s: the kernel's is %s, ours %s", what, expected, found));
            }
        }

        <T> void checkTwins(String what, Twins<T> twins, T recorded, T live) {
            if (!twins.agree(recorded, live)) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%s: %s is not used like the kernel's %s, whose counterpart is %s",
                        what,
                        live,
                        recorded,
                        twins.live(recorded)));
            }
        }
    }
}
