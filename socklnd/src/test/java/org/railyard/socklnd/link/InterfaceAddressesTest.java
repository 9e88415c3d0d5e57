package org.railyard.socklnd.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class InterfaceAddressesTest {
    /** An interface with a static address, one made of an advertised prefix, and temporary ones, as kernels show it. */
    private static final List<String> TABLE = List.of(
            "fd0000790000000000000000000000d1 02 40 00 21     eth0",
            "fd0000790000000000000000000000d2 02 40 00 01     eth0",
            "fd000079000000000211b2fffe000001 02 40 00 00     eth0",
            "fd000079000000000000000000000001 02 40 00 80     eth0",
            "fe800000000000000211b2fffe000001 02 40 20 80     eth0",
            "",
            "fd000079000000000000000000000009 02 40 00 zz     eth0");

    private static List<String> order(String... addresses) {
        List<InetAddress> all = Stream.of(addresses).map(InetAddress::ofLiteral).toList();
        return InterfaceAddresses.lastingFirst(all, AddressFlags.parse(TABLE))
                .map(InetAddress::getHostAddress)
                .toList();
    }

    @Test
    void anAddressThatPassesIsNoNidWhileThereIsOneThatStays() {
        assertThat(order("fd00:79::d1", "fd00:79::d2", "fd00:79::211:b2ff:fe00:1", "fd00:79::1"))
                .containsExactly(
                        "fd00:79:0:0:0:0:0:1",
                        "fd00:79:0:0:211:b2ff:fe00:1",
                        "fd00:79:0:0:0:0:0:d1",
                        "fd00:79:0:0:0:0:0:d2");
    }

    @Test
    void whatIsNotKnownKeepsItsPlace() {
        assertThat(order("fd00:79::9", "fd00:79::7", "fd00:79::1"))
                .containsExactly("fd00:79:0:0:0:0:0:1", "fd00:79:0:0:0:0:0:9", "fd00:79:0:0:0:0:0:7");
    }
}
