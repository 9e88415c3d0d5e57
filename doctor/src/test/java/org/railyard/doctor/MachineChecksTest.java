package org.railyard.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.doctor.HostFacts.Link;
import org.railyard.doctor.HostFacts.Port;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** Findings about the machine: each appears, and is gone when it is mended as it says. */
final class MachineChecksTest extends Examined {
    private void eth1(boolean up, boolean carrier, int mtu, String ip) {
        facts.link(new Link(
                "eth1", up, carrier, false, mtu, ip.isEmpty() ? List.of() : List.of(FakeFacts.address(ip, 24))));
    }

    @Test
    void nothingIsWrong() {
        Report report = examine();
        assertThat(report.findings()).isEmpty();
        assertThat(report.notChecked()).isEmpty();
    }

    @Test
    void aDeviceThatIsNotThere() {
        facts.links.removeIf(link -> link.name().equals("eth1"));
        Finding finding = only("device-missing");
        assertThat(finding.found()).isEqualTo("there is no device eth1; this machine has eth0");
        assertThat(finding.mend()).containsExactly("lnetctl net del --net tcp --if eth1");
        setup.nis.removeIf(ni -> ni.device().equals("eth1"));
        assertThat(ids()).isEmpty();
    }

    @Test
    void aDeviceThatHasAnotherNameNow() {
        facts.links.removeIf(link -> link.name().equals("eth1"));
        facts.link(new Link("lan1", true, true, false, 1500, List.of(FakeFacts.address("10.0.0.2", 24))));
        Finding finding = only("device-missing");
        assertThat(finding.found())
                .isEqualTo(
                        "there is no device eth1; this machine has eth0, lan1, and the address of the NI is on lan1");
        assertThat(finding.mend())
                .containsExactly("lnetctl net del --net tcp --if eth1", "lnetctl net add --net tcp --if lan1");
    }

    @Test
    void aDeviceThatIsDownOrWithoutCable() {
        eth1(false, false, 1500, "10.0.0.2");
        assertThat(only("device-down").mend()).containsExactly("ip link set dev eth1 up");
        eth1(true, false, 1500, "10.0.0.2");
        assertThat(ids()).containsExactly("no-carrier");
        eth1(true, true, 1500, "10.0.0.2");
        assertThat(ids()).isEmpty();
    }

    @Test
    void aDeviceWithoutTheAddress() {
        eth1(true, true, 1500, "");
        Finding finding = only("no-address");
        assertThat(finding.found()).contains("does not have the address 10.0.0.2");
        assertThat(finding.mend().getFirst()).startsWith("ip addr add 10.0.0.2/24 dev eth1");
        facts.link(new Link("lan1", true, true, false, 1500, List.of(FakeFacts.address("10.0.0.2", 24))));
        assertThat(only("no-address").found())
                .isEqualTo("the device does not have the address 10.0.0.2, which is on lan1");
        assertThat(only("no-address").mend())
                .containsExactly("lnetctl net del --net tcp --if eth1", "lnetctl net add --net tcp --if lan1");
        facts.links.removeIf(link -> link.name().equals("lan1"));
        setup.nis.set(1, new Setup.Ni(Net.TCP, "eth1", null, setup.nis.get(1).tunables(), 50));
        assertThat(only("no-address").found()).isEqualTo("the device has no address");
    }

    @Test
    void loopbackHasAllAddressesOfItsSubnet() {
        setup.nis.clear();
        setup.ni("lo", "127.0.71.2@tcp");
        assertThat(ids()).isEmpty();
        setup.ni("lo", "128.0.71.2@tcp");
        only("no-address");
    }

    @Test
    void tooFewFileDescriptors() {
        facts.descriptors = new HostFacts.Descriptors(1024, 80, 16_640);
        Finding finding = only("descriptor-limit");
        assertThat(finding.found()).isEqualTo("lnetd may open 1024 files; max_connections may need 16640");
        assertThat(finding.mend())
                .contains("printf '[Service]\\nLimitNOFILE=16640\\n' >/etc/systemd/system/lnetd.service.d/files.conf")
                .noneMatch(line -> line.startsWith("#"));
        facts.descriptors = new HostFacts.Descriptors(1024, 922, 16_640);
        assertThat(only("descriptors-short").severity()).isEqualTo(Severity.ERROR);
        facts.descriptors = new HostFacts.Descriptors(16_640, 80, 16_640);
        assertThat(ids()).isEmpty();
        facts.descriptors = HostFacts.Descriptors.UNKNOWN;
        assertThat(ids()).isEmpty();
    }

    private void card(HostFacts.CardTrouble trouble, String subject, String found, String... interfaces) {
        facts.cards.clear();
        facts.cards.add(new HostFacts.CardFault(trouble, subject, found, List.of(interfaces)));
    }

    @Test
    void cardsThatAreMissing() {
        card(HostFacts.CardTrouble.ABSENT, "", "kernel without rdma_ucm (errno 19): modprobe rdma_ucm");
        Finding finding = only("cards-absent");
        assertThat(finding.severity()).isEqualTo(Severity.ERROR);
        assertThat(finding.subject()).isEqualTo("RDMA cards");
        assertThat(finding.found()).startsWith("kernel without rdma_ucm");
        assertThat(finding.mend().getFirst()).startsWith("modprobe -a ib_uverbs rdma_ucm ib_ipoib");
        card(HostFacts.CardTrouble.ABSENT, "", "libibverbs.so.1 is not installed (Debian: libibverbs1)");
        assertThat(only("cards-absent").mend()).singleElement().asString().startsWith("railyard o2ib devices");
        card(HostFacts.CardTrouble.SILENT, "mlx5_0", "does not answer");
        assertThat(only("card-silent").subject()).isEqualTo("mlx5_0");
    }

    @Test
    void whatTheSystemKeepsFromCards() {
        card(HostFacts.CardTrouble.MEMORY, "", "registered memory: 8 MiB allowed (ulimit -l), 128 MiB wanted");
        assertThat(only("registered-memory").mend())
                .contains("printf '[Service]\\n"
                        + "LimitMEMLOCK=infinity\\n"
                        + "' >/etc/systemd/system/lnetd.service.d/memory.conf")
                .noneMatch(line -> line.startsWith("#"));
        card(HostFacts.CardTrouble.SERVICE_PORT, "", "port 987 needs CAP_NET_BIND_SERVICE");
        assertThat(only("service-port-denied").mend().getFirst())
                .isEqualTo("sysctl -w net.ipv4.ip_unprivileged_port_start=987");
        card(HostFacts.CardTrouble.PATH_DAEMON, "", "ibacm runs");
        assertThat(only("path-daemon").mend()).containsExactly("systemctl disable --now ibacm.service ibacm.socket");
    }

    @Test
    void portsOfCards() {
        card(HostFacts.CardTrouble.PORT_DOWN, "mlx5_0/1", "is DOWN");
        assertThat(only("card-port-down").subject()).isEqualTo("mlx5_0/1");
        card(HostFacts.CardTrouble.PORT_WAITS, "mlx5_0/1", "is INIT");
        assertThat(only("card-port-waits").severity()).isEqualTo(Severity.ERROR);
        card(HostFacts.CardTrouble.NO_ADDRESS, "mlx5_0/1", "has no IP address");
        assertThat(only("card-port-no-address").mend().getFirst()).startsWith("modprobe ib_ipoib");
    }

    @Test
    void portsOfCardsInOneSubnet() {
        card(HostFacts.CardTrouble.ONE_SUBNET, "ib0, ib1", "are in one subnet", "ib0", "ib1");
        facts.set("ib0", "arp_ignore", 1);
        facts.set("ib0", "arp_announce", 2);
        facts.set("ib1", "arp_ignore", 0);
        facts.set("ib1", "arp_announce", 1);
        assertThat(only("cards-one-subnet").mend())
                .containsExactly(
                        "sysctl -w net.ipv4.conf.ib1.arp_ignore=1", "sysctl -w net.ipv4.conf.ib1.arp_announce=2");
        facts.set("ib1", "arp_ignore", 1);
        facts.set("ib1", "arp_announce", 2);
        assertThat(ids()).as("each answers for its own address only").isEmpty();
        card(HostFacts.CardTrouble.ONE_SUBNET, "eth0, eth1", "are in one subnet", "eth0", "eth1");
        facts.set("eth0", "arp_ignore", 0);
        assertThat(ids()).as("of NIs others tell").doesNotContain("cards-one-subnet");
    }

    @Test
    void anAddressThatNoDeviceHas() {
        setup.file(988, false)
                .nis
                .set(
                        1,
                        new Setup.Ni(
                                Net.TCP,
                                "",
                                setup.nis.get(1).nid(),
                                setup.nis.get(1).tunables(),
                                50));
        eth1(true, true, 1500, "10.0.0.3");
        assertThat(only("address-missing").subject()).isEqualTo("10.0.0.2@tcp");
    }

    @Test
    void noNiAtAll() {
        setup.nis.clear();
        assertThat(only("no-ni").mend()).containsExactly("lnetctl net add --net tcp --if eth0");
        facts.link(new Link("eth0", false, false, false, 1500, List.of()));
        assertThat(only("no-ni").mend())
                .as("one that is up and has an address")
                .containsExactly("lnetctl net add --net tcp --if eth1");
    }

    @Test
    void twoRailsInOneSubnetThatLeaveByOneDevice() {
        facts.way("10.0.0.2", "eth0");
        facts.set("eth1", "rp_filter", 0);
        Finding finding = only("source-routing");
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.subject()).isEqualTo("eth1 (10.0.0.2@tcp)");
        assertThat(finding.found()).contains("10.0.0.0/24 is on eth0 too", "leave by eth0");
        assertThat(finding.mend())
                .containsExactly(
                        "ip route replace 10.0.0.0/24 dev eth1 src 10.0.0.2 table 1001",
                        "ip rule add from 10.0.0.2 lookup 1001");
        facts.way("10.0.0.2", "eth1");
        assertThat(ids()).isEmpty();
    }

    /** Two cables with the same two addresses, each a net of its own: neither address is the subnet or for all. */
    @Test
    void aSubnetOfTwoAddressesHasANeighbour() {
        for (String[] link : new String[][] {{"10.0.0.0", "10.0.0.1"}, {"10.0.0.1", "10.0.0.0"}}) {
            for (String device : List.of("eth0", "eth1")) {
                facts.link(new Link(device, true, true, false, 1500, List.of(FakeFacts.address(link[0], 31))));
            }
            setup.ni("eth0", link[0] + "@tcp").ni("eth1", link[0] + "@tcp1");
            facts.ways.clear();
            facts.ways.put(link[0] + " " + link[1], "eth0");
            assertThat(ids()).contains("source-routing");
        }
    }

    @Test
    void strictReversePathFilterDropsWhatComesInByTheOtherRail() {
        facts.way("10.0.0.2", "eth0");
        assertThat(only("rp-filter").mend()).containsExactly("sysctl -w net.ipv4.conf.eth1.rp_filter=2");
        // The larger of both settings counts: strict for all is not strict where the device says loose.
        facts.settings.put("net/ipv4/conf/all/rp_filter", 1);
        facts.set("eth1", "rp_filter", 0);
        only("rp-filter");
        facts.set("eth1", "rp_filter", 2);
        assertThat(ids()).containsExactly("source-routing");
    }

    @Test
    void withoutTheProgramTheWaysAreNotChecked() {
        facts.ipIsInstalled = false;
        Report report = examine();
        assertThat(report.findings()).isEmpty();
        assertThat(report.notChecked())
                .containsExactly("source routing of rails in one subnet: the program ip is not installed (package"
                        + " iproute2)");
    }

    @Test
    void rpFilterDoesNotMatterForOneRail() {
        setup.nis.removeLast();
        facts.way("10.0.0.1", "eth1");
        assertThat(ids()).isEmpty();
    }

    @Test
    void arpOfRailsInOneSubnet() {
        facts.set("eth1", "arp_ignore", 0);
        facts.set("eth1", "arp_announce", 1);
        assertThat(only("arp-ignore").mend()).containsExactly("sysctl -w net.ipv4.conf.eth1.arp_ignore=1");
        assertThat(only("arp-announce").mend()).containsExactly("sysctl -w net.ipv4.conf.eth1.arp_announce=2");
        facts.set("eth1", "arp_filter", 1);
        facts.settings.put("net/ipv4/conf/all/arp_announce", 2);
        assertThat(ids()).isEmpty();
    }

    @Test
    void arpDoesNotMatterInSubnetsOfTheirOwn() {
        facts.set("eth1", "arp_ignore", 0);
        facts.set("eth1", "arp_announce", 0);
        eth1(true, true, 1500, "10.0.1.2");
        setup.ni("eth1", "10.0.1.2@tcp");
        facts.way("10.0.1.2", "eth1");
        assertThat(ids()).isEmpty();
    }

    @Test
    void aDotInTheNameOfADeviceIsASlashInItsSetting() {
        assertThat(Sysctl.set("eth0.100", "arp_ignore", 1)).isEqualTo("sysctl -w net.ipv4.conf.eth0/100.arp_ignore=1");
    }

    @Test
    void differentMtus() {
        eth1(true, true, 9000, "10.0.0.2");
        assertThat(only("mtu").mend()).containsExactly("ip link set dev eth1 mtu 1500");
        eth1(true, true, 1500, "10.0.0.2");
        assertThat(ids()).isEmpty();
    }

    private void jumbo(String peer) {
        facts.link(new Link("eth1", true, true, false, 9000, List.of(FakeFacts.address("10.0.0.2", 24))));
        facts.link(new Link("eth0", true, true, false, 9000, List.of(FakeFacts.address("10.0.0.1", 24))));
        setup.peer(Snapshots.peer(peer));
        setup.asked = true;
    }

    @Test
    void largePacketsThatVanish() {
        jumbo("10.0.0.9@tcp");
        assertThat(ids()).isEmpty();
        assertThat(facts.tried).containsExactly("10.0.0.1 10.0.0.9 9000", "10.0.0.2 10.0.0.9 9000");
        facts.largest = 1500;
        List<Finding> found = examine().findings();
        assertThat(found).extracting(Finding::id).containsExactly("path-mtu", "path-mtu");
        assertThat(found.getFirst().found())
                .isEqualTo("packets of 9000 bytes vanish on the way, those of 1500 bytes arrive");
        assertThat(found.getFirst().means()).contains("pings and small messages work; large ones stall");
        assertThat(found.getFirst().mend().getLast()).startsWith("ip link set dev eth0 mtu 1500 ");
        facts.largest = 1400;
        assertThat(examine().findings().getFirst().found()).endsWith("small ones arrive");
        assertThat(examine().findings().getFirst().mend()).hasSize(1);
        setup.asked = false;
        facts.tried.clear();
        assertThat(ids()).isEmpty();
        assertThat(facts.tried).as("only when peers are asked").isEmpty();
    }

    @Test
    void theInterfacesOfAGroupAreLookedAtOneByOne() {
        Setup.Ni group =
                new Setup.Ni(Net.parse("o2ib"), "eth0,eth1,eth7", Nid.parse("10.0.0.1@o2ib"), NetTunables.DEFAULT, 50);
        setup.nis.clear();
        setup.nis.addAll(group.members(facts.links()));
        assertThat(setup.nis)
                .extracting(Setup.Ni::subject)
                .containsExactly("eth0 (10.0.0.1@o2ib)", "eth1 (10.0.0.2@o2ib)", "eth7");
        assertThat(only("device-missing").subject()).isEqualTo("eth7");
        setup.nis.removeLast();
        assertThat(ids()).isEmpty();
        facts.link(new Link("eth1", true, true, false, 1500, List.of(FakeFacts.address("10.0.1.2", 24))));
        setup.peer(Snapshots.peer("10.0.0.9@o2ib"));
        setup.asked = true;
        facts.way("10.0.1.2", "eth0");
        assertThat(ids())
                .as("the way from eth1 to the NID is none that anything takes")
                .doesNotContain("crossed-rails");
        assertThat(facts.tried).containsExactly("10.0.0.1 10.0.0.9 1500");
    }

    @Test
    void aGroupWhoseNidHasTheAddressOfNoneOfItsInterfaces() {
        Setup.Ni group =
                new Setup.Ni(Net.parse("o2ib"), "eth1,eth0", Nid.parse("10.0.0.77@o2ib"), NetTunables.DEFAULT, 50);
        setup.nis.clear();
        setup.nis.addAll(group.members(facts.links()));
        assertThat(setup.nis)
                .extracting(Setup.Ni::subject)
                .containsExactly("eth1 (10.0.0.77@o2ib)", "eth0 (10.0.0.1@o2ib)");
        assertThat(ids()).as("it is as somebody wants it").isEmpty();
        setup.nis.clear();
        setup.nis.addAll(
                new Setup.Ni(Net.parse("o2ib"), "eth1,eth0", Nid.parse("10.0.0.1@o2ib"), NetTunables.DEFAULT, 50)
                        .members(facts.links()));
        assertThat(setup.nis)
                .extracting(Setup.Ni::further)
                .as("the one with the address stands for the NID")
                .containsExactly(true, false);
    }

    @Test
    void aWayThatIsKnownToTakeLess() {
        jumbo("10.0.0.9@tcp");
        facts.largest = 1500;
        facts.tooLong = HostFacts.Passage.TOO_LONG;
        assertThat(examine().findings())
                .isNotEmpty()
                .allMatch(each -> each.severity() == Severity.WARNING)
                .allMatch(each -> each.found().endsWith("too long for the way there, as a router on it says"));
        facts.tooLong = HostFacts.Passage.SILENT;
        assertThat(ids()).isEmpty();
        assertThat(examine().notChecked())
                .singleElement()
                .asString()
                .contains("do not tell of closed UDP ports: 10.0.0.9");
    }

    @Test
    void overUdpAWayThatTakesLessBreaksConnections() {
        jumbo("10.0.0.9@o2ib");
        setup.ni("eth0", "10.0.0.1@o2ib").ni("eth1", "10.0.0.2@o2ib");
        facts.largest = 1500;
        facts.tooLong = HostFacts.Passage.TOO_LONG;
        assertThat(examine().findings())
                .filteredOn(each -> each.id().equals("path-mtu"))
                .isNotEmpty()
                .allMatch(each -> each.severity() == Severity.ERROR);
    }

    @Test
    void aPortThatIsInUse() {
        setup.file(988, false);
        facts.ports.put(988, Port.IN_USE);
        facts.holder = "process 4711 (nginx)";
        assertThat(only("port-in-use").found()).isEqualTo("another program listens there: process 4711 (nginx)");
        facts.holder = "";
        assertThat(only("port-in-use").found()).contains("whose name this user must not know");
        facts.ports.clear();
        assertThat(ids()).isEmpty();
    }

    @Test
    void portsThatNeedAPrivilege() {
        setup.file(988, false);
        facts.ports.put(988, Port.DENIED);
        facts.ports.put(1023, Port.DENIED);
        facts.ports.put(512, Port.DENIED);
        assertThat(ids()).containsExactly("port-denied", "source-port-denied");
        assertThat(only("port-denied").mend().getFirst())
                .isEqualTo("sysctl -w net.ipv4.ip_unprivileged_port_start=512");
        setup.file(9988, true);
        assertThat(ids()).isEmpty();
    }

    @Test
    void theDaemonThatRunsHasItsPort() {
        setup.file(0, false);
        facts.ports.put(988, Port.IN_USE);
        Report report = examine();
        assertThat(report.findings()).isEmpty();
        assertThat(report.notChecked()).containsExactly("the port to listen at: lnetd runs here and has it");
    }

    @Test
    void railsOfOneNetInSeveralSubnetsCross() {
        eth1(true, true, 1500, "10.0.1.2");
        setup.ni("eth1", "10.0.1.2@tcp").peer(Snapshots.peer("10.0.0.9@tcp", "10.0.1.9@tcp"));
        facts.ways.put("10.0.0.1 10.0.1.9", "eth1");
        facts.ways.put("10.0.1.2 10.0.0.9", "eth0");
        List<Finding> found = examine().findings();
        assertThat(found).extracting(Finding::id).containsExactly("crossed-rails", "crossed-rails");
        assertThat(found.getFirst().found()).isEqualTo("packets from 10.0.0.1@tcp to 10.0.1.9@tcp leave by eth1");
        assertThat(found.getFirst().mend()).containsExactly("lnetctl udsp add --src 10.0.1.2@tcp --dst 10.0.1.9@tcp");
        setup.rule("10.0.1.2@tcp", "10.0.1.9@tcp", null).rule("10.0.0.1@tcp", "10.0.0.9@tcp", null);
        assertThat(ids()).isEmpty();
    }

    @Test
    void theWayToAPeerOfTheOtherAddressFamilyIsNoneOfThisAddress() {
        eth1(true, true, 1500, "10.0.1.2");
        setup.ni("eth1", "10.0.1.2@tcp").peer(Snapshots.peer("2001:db8::9@tcp"));
        facts.ways.put("10.0.0.1 2001:db8:0:0:0:0:0:9", "eth1");
        assertThat(ids()).isEmpty();
    }

    @Test
    void aKindOfFindingIsToldSoManyTimes() {
        setup.nis.clear();
        for (int i = 0; i < Notes.MAX_OF_A_KIND + 2; i++) {
            setup.ni("ib" + i, "10.9.0." + (i + 1) + "@tcp");
        }
        Report report = examine();
        assertThat(report.findings()).hasSize(Notes.MAX_OF_A_KIND);
        assertThat(report.notChecked()).hasSize(1).first().asString().contains("device-missing than 50");
    }

    @Test
    void aReportSurvivesItsDocument() {
        facts.way("10.0.0.2", "eth0");
        facts.ipIsInstalled = true;
        Report report = examine();
        assertThat(Report.ofDocument(report.toDocument())).isEqualTo(report);
        assertThat(report.findings().getFirst().severity()).isEqualTo(Severity.ERROR);
    }

    @Test
    void aTableOfConnectionsThatIsFull() {
        facts.settings.put("net/netfilter/nf_conntrack_max", 1000);
        facts.settings.put("net/netfilter/nf_conntrack_count", 899);
        assertThat(ids()).isEmpty();
        facts.settings.put("net/netfilter/nf_conntrack_count", 950);
        assertThat(only("conntrack-full").severity()).isEqualTo(Severity.WARNING);
        facts.settings.put("net/netfilter/nf_conntrack_count", 1000);
        assertThat(only("conntrack-full").severity()).isEqualTo(Severity.ERROR);
        assertThat(only("conntrack-full").mend()).containsExactly("sysctl -w net.netfilter.nf_conntrack_max=2000");
    }

    @Test
    void aDeviceOfContainersTakenByMistake() {
        facts.link(
                new HostFacts.Link("docker0", true, true, false, 1500, List.of(FakeFacts.address("172.17.0.1", 16))));
        assertThat(ids()).isEmpty();
        setup.ni("docker0", "172.17.0.1@tcp1");
        Finding finding = only("virtual-device");
        assertThat(finding.found()).contains("eth0, eth1");
        assertThat(finding.mend())
                .containsExactly("lnetctl net del --net tcp1 --if docker0", "lnetctl net add --net tcp1 --if eth0");
    }

    @Test
    void anAddressThatTwoDevicesHave() {
        facts.link(new HostFacts.Link("eth2", true, true, false, 1500, List.of(FakeFacts.address("10.0.0.1", 24))));
        assertThat(only("duplicate-address").found()).isEqualTo("both eth0 and eth2 have the address");
    }
}
