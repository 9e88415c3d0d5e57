package org.railyard.itest.tshark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.itest.kit.Loopback;
import org.railyard.itest.kit.TappedPair;
import org.railyard.itest.recorded.Talk;
import org.railyard.itest.tshark.Tshark.Frame;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.testkit.NeedsCommand;

/**
 * tshark's LNet dissector reads in our traffic what our own decoder reads, frame by frame and field by field, and
 * nothing malformed.
 *
 * <p>What the dissector (of tshark 4.0) does not know, so that this test says nothing about it:
 *
 * <ul>
 *   <li>connection requests and hellos: it skips what does not begin with a frame type;
 *   <li>V1, which has no frame headers;
 *   <li>V4: it takes the large NIDs for nid4 and reads what follows at the wrong places;
 *   <li>payload: it shows that of a REPLY as bytes, a ping info too, and that of a PUT to a portal that is none of
 *   Lustre's as a flaw, behind a
 *       header whose fields are in order. It does so with the traffic of kernel nodes as well, to which ours is
 *       compared in this;
 *   <li>checksums: it shows them, but does not verify them;
 *   <li>a frame that follows a NOOP in the same TCP segment: it loses its place there, so the tap gives each a segment
 *   of its own;
 *   <li>which of {@code cookie0} and {@code cookie1} are pairs or ranges of acks.
 * </ul>
 */
@NeedsCommand("tshark")
final class TsharkTest {
    private static final String LEFT = "127.0.3.1@tcp";
    private static final String RIGHT = "127.0.3.2@tcp";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void readsV3AsWeDo() throws Exception {
        int port = Loopback.freePort();
        Map<String, Integer> kinds = compare(Loopback.transport(port), port, true);
        assertThat(kinds)
                .containsKeys(
                        "GET",
                        "REPLY",
                        "PUT",
                        "PUT without ACK",
                        "ACK",
                        "zero-copy request",
                        "zero-copy ack",
                        "keepalive");
    }

    @Test
    void readsV2WithChecksumsAsWeDo() throws Exception {
        int port = Loopback.freePort();
        SockLndConfig.Builder transport =
                Loopback.transport(port).protocol(ProtocolVersion.V2).set(SockTunable.ENABLE_CSUM, 1);
        Map<String, Integer> kinds = compare(transport, port, false);
        assertThat(kinds)
                .containsKeys(
                        "GET",
                        "REPLY",
                        "PUT",
                        "PUT without ACK",
                        "ACK",
                        "zero-copy request",
                        "zero-copy ack",
                        "checksum");
    }

    private Map<String, Integer> compare(SockLndConfig.Builder transport, int port, boolean keepalive)
            throws Exception {
        Path capture = folder.resolve("ours.pcap");
        try (TappedPair pair = new TappedPair(capture, transport, port, LEFT, RIGHT)) {
            pair.talk();
            if (keepalive) {
                pair.beIdleUntil(() -> Talk.hasKeepalive(capture));
            }
        }
        Map<String, List<Talk.Frame>> ours = Talk.frames(Files.readAllBytes(capture));
        Map<String, List<Frame>> theirs = new TreeMap<>();
        Tshark.frames(capture)
                .forEach(frame -> theirs.computeIfAbsent(frame.stream(), key -> new ArrayList<>())
                        .add(frame));
        assertThat(theirs.keySet()).as("streams").isEqualTo(ours.keySet());
        List<String> flawsOfPut = flawsOfAKernelsPut();
        Map<String, Integer> kinds = new TreeMap<>();
        ours.forEach((stream, frames) -> {
            List<Frame> seen = theirs.getOrDefault(stream, List.of());
            assertThat(seen).as(stream).hasSameSizeAs(frames);
            for (int i = 0; i < frames.size(); i++) {
                compare(frames.get(i), seen.get(i), flawsOfPut);
                frames.get(i).kinds().forEach(kind -> kinds.merge(kind, 1, Integer::sum));
            }
        });
        return kinds;
    }

    private List<String> flawsOfAKernelsPut() throws Exception {
        Path capture = folder.resolve("kernel.pcap");
        try (InputStream in =
                TsharkTest.class.getResourceAsStream("/captures/b1_discover_multirail_first_contact.pcap.gz")) {
            Files.write(capture, new GZIPInputStream(Objects.requireNonNull(in)).readAllBytes());
        }
        return Tshark.frames(capture).stream()
                .filter(frame -> frame.number("lnet.msg_type") == MessageType.PUT.number())
                .findFirst()
                .orElseThrow()
                .flaws();
    }

    private static void compare(Talk.Frame ours, Frame theirs, List<String> flawsOfPut) {
        assertThat(theirs.number("lnet.ksm_zc_req_cookie"))
                .as("cookie 0 of %s", ours)
                .isEqualTo(ours.cookie0());
        assertThat(theirs.number("lnet.ksm_zc_ack_cookie"))
                .as("cookie 1 of %s", ours)
                .isEqualTo(ours.cookie1());
        LNetHeader header = ours.header();
        if (header == null) {
            assertThat(theirs.number("lnet.ksm_type")).isEqualTo(0xc0);
            assertThat(theirs.flaws()).isEmpty();
            return;
        }
        assertThat(theirs.number("lnet.ksm_type")).isEqualTo(0xc1);
        assertThat(theirs.nids())
                .containsEntry("lnet.src_nid", text(header.srcNid()))
                .containsEntry("lnet.dest_nid", text(header.destNid()));
        assertThat(theirs.number("lnet.src_pid")).isEqualTo(header.srcPid());
        assertThat(theirs.number("lnet.dest_pid")).isEqualTo(header.destPid());
        assertThat(theirs.number("lnet.msg_type")).isEqualTo(header.type().number());
        assertThat(theirs.number("lnet.payload_length")).isEqualTo(header.payloadLength());
        boolean ack = header.type() == MessageType.ACK;
        assertThat(theirs.number("lnet.msg_dst_interface_cookie")).isEqualTo(shown(header.interfaceCookie(), ack));
        assertThat(theirs.number("lnet.msg_dst_object_cookie")).isEqualTo(shown(header.objectCookie(), ack));
        switch (header.type()) {
            case ACK -> {
                assertThat(theirs.number("lnet.msg_dst_match_bits")).isEqualTo(header.matchBits());
                assertThat(theirs.number("lnet.msg_length")).isEqualTo(header.mlength());
            }
            case PUT -> {
                assertThat(theirs.number("lnet.msg_dst_match_bits")).isEqualTo(header.matchBits());
                assertThat(theirs.number("lnet.msg_hdr_data")).isEqualTo(header.hdrData());
                assertThat(theirs.number("lnet.ptl_index")).isEqualTo(header.portal());
                assertThat(theirs.number("lnet.offset")).isEqualTo(header.offset());
            }
            case GET -> {
                assertThat(theirs.number("lnet.msg_dst_match_bits")).isEqualTo(header.matchBits());
                assertThat(theirs.number("lnet.ptl_index")).isEqualTo(header.portal());
                assertThat(theirs.number("lnet.src_offset")).isEqualTo(header.offset());
                assertThat(theirs.number("lnet.sink_length")).isEqualTo(header.sinkLength());
            }
            case REPLY, HELLO -> {}
        }
        boolean strangePayload = header.type() == MessageType.PUT && header.payloadLength() > 0;
        assertThat(theirs.flaws()).as("%s", ours).isEqualTo(strangePayload ? flawsOfPut : List.of());
    }

    /** A handle means something to its maker only; tshark shows it in another byte order if it comes in an ACK. */
    private static long shown(long cookie, boolean ack) {
        return ack ? Long.reverseBytes(cookie) : cookie;
    }

    /** tshark writes the number of a net even if it is 0. */
    private static String text(Nid nid) {
        String text = nid.toString();
        return text.endsWith("@tcp") ? text + "0" : text;
    }
}
