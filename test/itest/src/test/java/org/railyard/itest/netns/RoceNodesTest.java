package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.wire.Wire;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Program;
import org.railyard.testkit.Requirement;

/**
 * Two nodes, each a process in a namespace of its own, joined by two cables: LNet over InfiniBand over UDP port 4791.
 * Not beside others: packets that find no room while a processor is busy elsewhere are lost, and what is counted here
 * is that nothing had to be repeated.
 */
@NeedsRoot
@NeedsCommand("ip")
@Isolated
final class RoceNodesTest {
    private static final String RAIL = "roce";
    private static final Namespace left = namespace();
    private static final Namespace right = namespace();

    private static Namespace namespace() {
        Namespace.deleteLeftOvers();
        return new Namespace();
    }

    @BeforeAll
    static void layCables() {
        for (int rail = 0; rail < 2; rail++) {
            left.cable(right, RAIL + rail);
            left.address(RAIL + rail, "10.78." + rail + ".1/24");
            right.address(RAIL + rail, "10.78." + rail + ".2/24");
        }
    }

    @AfterAll
    static void clear() {
        left.close();
        right.close();
    }

    private static NodeProcess node(Namespace namespace, int rails, int number) throws IOException {
        String[] arguments = new String[1 + rails];
        arguments[0] = "1";
        for (int rail = 0; rail < rails; rail++) {
            arguments[1 + rail] = nid(rail, number);
        }
        return new NodeProcess(namespace, arguments);
    }

    private static String nid(int rail, int node) {
        return "10.78." + rail + "." + node + "@o2ib";
    }

    @Test
    void pingDiscoverPutAndGet() throws IOException {
        try (NodeProcess a = node(left, 2, 1);
                NodeProcess b = node(right, 2, 2)) {
            assertThat(a.ask("ping " + nid(0, 2))).isEqualTo("[" + nid(0, 2) + ", " + nid(1, 2) + "]");
            assertThat(a.ask("discover " + nid(1, 2)))
                    .isEqualTo("multi-rail " + nid(0, 2) + " up " + nid(1, 2) + " up");
            assertThat(a.ask("transfer " + nid(0, 2) + " " + Wire.MTU + " 4")).isEqualTo("done 16 repeated 0 wrong 0");
            assertThat(b.ask("transfer " + nid(1, 1) + " 4097 10")).isEqualTo("done 40 repeated 0 wrong 0");
            assertThat(b.ask("received")).isEqualTo("good 8 bad 0");
            assertThat(a.ask("received")).isEqualTo("good 20 bad 0");

            left.ip("link set " + RAIL + "1 down");
            a.awaitAnswer("nis", nid(1, 1) + " down");
            assertThat(a.ask("transfer " + nid(0, 2) + " 4097 4"))
                    .contains("done 16")
                    .contains("wrong 0");
            left.ip("link set " + RAIL + "1 up");
            a.awaitAnswer("nis", nid(1, 1) + " up");
        }
    }

    /** Nobody on the network answers for it, and nobody has to. */
    @Test
    void anotherAddressOfTheMachineInTheSameSubnetIsReached() throws IOException {
        left.address(RAIL + "0", "10.78.0.3/24");
        try (NodeProcess asked = new NodeProcess(left, VerbsProgram.class, "10.78.0.1");
                NodeProcess asking = new NodeProcess(left, VerbsProgram.class, "10.78.0.3")) {
            assertThat(asked.ask("listen 7480")).isEqualTo("listening");
            assertThat(asking.ask("connect 10.78.0.1 7480 hello")).startsWith("established");
        }
    }

    /** Whatever is added later, for a service that moves from machine to machine: the NID of a node stays. */
    @Test
    void anInterfaceIsKnownByItsPrimaryAddress() throws IOException {
        left.address(RAIL + "0", "10.78.0.4/24");
        try (NodeProcess program = new NodeProcess(left, VerbsProgram.class, RAIL + "0")) {
            assertThat(program.ask("address")).isEqualTo("10.78.0.1:0");
        }
    }

    private static void offload(String setting) {
        for (Namespace each : List.of(left, right)) {
            Program.line("ip netns exec " + each.name() + " ethtool -K " + RAIL + "0 " + setting)
                    .run();
        }
    }

    /** Messages with segments are refused by a device that computes no checksums, and cut before one that does not. */
    @ParameterizedTest
    @ValueSource(strings = {"tx off", "tx-udp-segmentation off", "rx-gro-list on"})
    @NeedsCommand("ethtool")
    void devicesWithLessOffload(String setting) throws IOException {
        offload(setting);
        try (NodeProcess a = node(left, 1, 1);
                NodeProcess b = node(right, 1, 2)) {
            assertThat(a.ask("transfer " + nid(0, 2) + " " + Wire.MTU + " 4")).isEqualTo("done 16 repeated 0 wrong 0");
            assertThat(b.ask("transfer " + nid(0, 1) + " 4097 10")).isEqualTo("done 40 repeated 0 wrong 0");
        } finally {
            offload("tx on");
            offload("tx-udp-segmentation on");
            offload("rx-gro-list off");
        }
    }

    /**
     * An independent reader understands every packet, and the checksums are those of the identifications that really
     * travel: the device does not cut messages into segments, so that this is done before it.
     */
    @Test
    @NeedsCommand({"tshark", "dumpcap", "ethtool"})
    @Requirement("sv-041")
    void tsharkReadsEveryPacket(@TempDir Path folder) throws IOException {
        offload("tx-udp-segmentation off");
        Path capture = folder.resolve("roce.pcap");
        Recorder recorder = new Recorder(left, RAIL + "0", capture);
        try (recorder;
                NodeProcess a = node(left, 1, 1);
                NodeProcess b = node(right, 1, 2)) {
            assertThat(a.ask("transfer " + nid(0, 2) + " 20000 4")).isEqualTo("done 16 repeated 0 wrong 0");
            assertThat(b.ask("received")).isEqualTo("good 8 bad 0");
        }
        // Of what LNet puts inside it does not know all: it calls messages of kernel nodes malformed, too.
        assertThat(fields(capture, "_ws.malformed and not lnet", "frame.number"))
                .isEmpty();
        assertThat(fields(capture, "udp.dstport == 4791 and not infiniband", "frame.number"))
                .isEmpty();
        Set<String> opcodes = new TreeSet<>(fields(capture, "infiniband", "infiniband.bth.opcode"));
        assertThat(opcodes)
                .as("SEND only, WRITE first, middle and last, ACK, datagram")
                .contains("4", "6", "7", "8", "17", "100");
        // Request, reply, ready; the reads end before anybody disconnects.
        assertThat(fields(capture, "infiniband.mad", "infiniband.mad.attributeid"))
                .contains("0x0010", "0x0013", "0x0014");
        assertThat(fields(capture, "infiniband.cm.req", "infiniband.cm.req.ip_cm.sport"))
                .isNotEmpty();
        assertThat(fields(capture, "lnet", "lnet.ib.type"))
                .as("messages of the transport")
                .isNotEmpty();
        assertThat(new TreeSet<>(fields(capture, "udp.dstport == 4791", "ip.flags.df")))
                .as("no fragments")
                .containsExactly("1");
        List<String> packets = fields(capture, "udp.dstport == 4791", "ip.id", "ip.src", "ip.dst", "udp.payload");
        assertThat(packets).allSatisfy(RoceNodesTest::assertChecksum);
        assertThat(packets).as("segments behind the first").anyMatch(packet -> packet.startsWith("0x0003"));
        offload("tx-udp-segmentation on");
    }

    /** Checks a packet against the identification in its IP header. */
    private static void assertChecksum(String packet) {
        String[] words = packet.split("\t");
        UdpRoute route = new UdpRoute(ip(words[1]), RoceSettings.UDP_PORT, ip(words[2]), RoceSettings.UDP_PORT);
        Frame frame = new Frame();
        frame.clear();
        frame.datagram().put(HexFormat.of().parseHex(words[3].replace(":", "")));
        assertThat(frame.arrived(route)).isEqualTo(Frame.Fault.NONE);
        assertThat(frame.identification()).isEqualTo(Integer.decode(words[0]));
    }

    private static int ip(String text) {
        return ByteBuffer.wrap(InetAddress.ofLiteral(text).getAddress()).getInt();
    }

    private static List<String> fields(Path capture, String filter, String... fields) {
        List<String> command =
                new ArrayList<>(List.of("tshark", "-r", capture.toString(), "-Y", filter, "-T", "fields"));
        for (String each : fields) {
            command.addAll(List.of("-e", each));
        }
        return Program.of(command)
                .run()
                .lines()
                // What it says of being root.
                .filter(line -> !line.startsWith("Running as user"))
                .collect(Collectors.toList());
    }
}
