package org.railyard.node.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.doctor.HostFacts;
import org.railyard.doctor.HostFacts.Link;
import org.railyard.doctor.HostFacts.Passage;
import org.railyard.doctor.HostFacts.Path;
import org.railyard.doctor.HostFacts.Way;
import org.railyard.testkit.NeedsCommand;

/** What this machine says of itself. */
final class SystemFactsTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private final SystemFacts facts = new SystemFacts();

    @Test
    void loopbackIsThere() {
        Link lo = facts.links().stream()
                .filter(link -> link.name().equals("lo"))
                .findFirst()
                .orElseThrow();
        assertThat(lo.up()).isTrue();
        assertThat(lo.loopback()).isTrue();
        assertThat(lo.mtu()).isGreaterThan(1000);
        assertThat(lo.addresses()).contains(new HostFacts.Address(LOOPBACK, 8));
    }

    @Test
    void addressesAreWrittenAsIpReadsThem() {
        assertThat(facts.links().stream()
                        .flatMap(link -> link.addresses().stream())
                        .map(address -> address.ip().getHostAddress()))
                .isNotEmpty()
                .noneMatch(text -> text.contains("%"));
    }

    @Test
    void settingsOfTheKernel() {
        assertThat(facts.setting("net/ipv4/conf/lo/rp_filter")).isPresent();
        assertThat(facts.setting("net/ipv4/conf/nothing/rp_filter")).isEmpty();
        assertThat(facts.setting("kernel/ostype")).isEmpty();
    }

    @Test
    void aPortAndWhoHasIt() throws IOException {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
            port = taken.getLocalPort();
            assertThat(facts.port(LOOPBACK, port)).isEqualTo(HostFacts.Port.IN_USE);
            assertThat(facts.holder(port))
                    .startsWith("process " + ProcessHandle.current().pid() + " (");
        }
        assertThat(facts.port(LOOPBACK, port)).isEqualTo(HostFacts.Port.FREE);
        assertThat(facts.holder(port)).isEmpty();
    }

    @Test
    void packetsOfTheSizeOfTheDeviceGetThroughAndLargerOnesDoNot() {
        InetAddress other = InetAddress.ofLiteral("127.0.0.2");
        assertThat(facts.passages(List.of(
                        new Path(LOOPBACK, other, 1500),
                        new Path(LOOPBACK, other, 60_000),
                        new Path(InetAddress.ofLiteral("192.0.2.1"), other, 1500))))
                .containsExactly(Passage.FITS, Passage.FITS, Passage.UNKNOWN);
        assertThat(facts.passages(List.of())).isEmpty();
    }

    @Test
    @NeedsCommand("ip")
    void theWayToAnAddressOfThisMachineIsLoopback() {
        assertThat(facts.way(LOOPBACK, InetAddress.ofLiteral("127.0.0.2"))).isEqualTo(new Way(Way.Kind.DEVICE, "lo"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "10.0.0.9 from 10.0.0.1 dev eth0 uid 0 cache       | 0 | DEVICE  | eth0",
                "10.9.0.9 from 10.0.0.1 via 10.0.0.254 dev ib1.8001 uid 0 | 0 | DEVICE | ib1.8001",
                "RTNETLINK answers: Network is unreachable         | 2 | NONE    | RTNETLINK answers: Network is"
                        + " unreachable",
                "RTNETLINK answers: Invalid argument               | 2 | NONE    | RTNETLINK answers: Invalid argument",
                "ip: unknown command                               | 1 | UNKNOWN | 'ip route get' says 'ip: unknown"
                        + " command'"
            })
    void answersOfTheProgram(String answer, int exit, Way.Kind kind, String text) {
        assertThat(IpRoute.read(answer, exit)).isEqualTo(new Way(kind, text));
    }

    @Test
    void socketsThatListen() {
        List<String> sockets = new ArrayList<>();
        PortHolder.addSocket(
                "   0: 0100007F:03DC 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1",
                988,
                sockets);
        PortHolder.addSocket(
                "   1: 0100007F:03DC 0100007F:0400 01 00000000:00000000 00:00000000 00000000     0        0 4712 1",
                988,
                sockets);
        PortHolder.addSocket("  sl  local_address rem_address   st", 988, sockets);
        assertThat(sockets).containsExactly("socket:[4711]");
    }
}
