package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.host.CpuLayout;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** The CPU partitions of NIs (spec 12 §8, 10 §7). */
class NiCptTest {
    private static final int PORTAL = 33;
    private static final Nid A = Nid.parse("10.0.0.1@tcp");
    private static final Nid A2 = Nid.parse("10.0.1.1@tcp");

    /** Two NUMA nodes of two CPUs. */
    private final TestNetwork net = new TestNetwork().withLayout(CpuLayout.grid(2, 2, 20));

    private final Recorder from = new Recorder();
    private final Recorder at = new Recorder();

    @AfterEach
    void close() {
        net.close();
    }

    private LNet target(String nid) {
        LNet node = net.node(nid);
        node.attach(
                MeConfig.any(PORTAL),
                MdConfig.of(Arena.ofAuto().allocate(1 << 20))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(at));
        return node;
    }

    private static ProcessId to(String nid) {
        return ProcessId.of(Nid.parse(nid));
    }

    @Test
    @Requirement({"cfg-035", "dbg-035"})
    void anNiIsOnAllPartitionsUnlessToldOtherwise() {
        net.withDeviceOn(A.toString(), 1);
        LNet a = net.node(A.toString());
        NiInfo ni = a.nis().getFirst();
        assertThat(ni.cpts()).containsExactly(0, 1);
        assertThat(ni.deviceCpt()).isEqualTo(1);
        assertThat(ni.maxCredits()).as("256 in two pools").isEqualTo(256);
        a.addNi(net.request("10.0.2.1@tcp"));
        assertThat(a.nis().getLast().deviceCpt()).isEqualTo(-1);
    }

    @Test
    @Requirement("cfg-035")
    void orOnThoseNearItsDevice() {
        net.withDeviceOn(A.toString(), 1);
        LNet a = net.node(Settings.of(CompatProfile.LUSTRE), A.toString(), A2.toString());
        assertThat(a.nis().getFirst().cpts()).containsExactly(1);
        assertThat(a.nis().getLast().cpts()).as("nobody knows where it is").containsExactly(0, 1);
        a.addNi(net.request("10.0.2.1@tcp").withCpts(List.of(0)));
        assertThat(a.nis().getLast().cpts()).containsExactly(0);
    }

    @Test
    @Requirement("cfg-025")
    void anNiCanBeTiedToPartitions() {
        LNet a = net.node();
        a.addNi(net.request(A.toString()).withCpts(List.of(1, 1)));
        assertThat(a.nis().getFirst().cpts()).containsExactly(1);
        assertThat(a.nis().getFirst().maxCredits()).isEqualTo(256);
        TwoNodes.expect(Errno.ERANGE, () -> a.addNi(net.request(A2.toString()).withCpts(List.of(0, 2))));
        assertThat(a.nis()).hasSize(1);
    }

    @Test
    void thePoolsAreNeverTooSmallForEightPeers() {
        net.withTunables(8, 100);
        LNet a = net.node(A.toString());
        assertThat(a.nis().getFirst().maxCredits()).as("64 each").isEqualTo(128);
        a.selection().setNiCpts(A, List.of(0));
        assertThat(a.nis().getFirst().maxCredits()).isEqualTo(100);
        net.withTunables(8, 40);
        LNet b = net.node("10.0.0.2@tcp");
        assertThat(b.nis().getFirst().maxCredits())
                .as("40 each, no more than credits")
                .isEqualTo(80);
    }

    @Test
    void whereANidIsCounted() {
        LNet a = net.node(A.toString());
        assertThat(a.selection().cptOf(Nid.parse("10.0.0.2@tcp"))).isZero();
        assertThat(a.selection().cptOf(Nid.parse("10.0.0.3@tcp"))).isEqualTo(1);
    }

    @Test
    void eachPartitionHasCreditsOfItsOwn() {
        net.withTunables(4, 4);
        LNet a = net.node(A.toString());
        target("10.0.0.2@tcp");
        target("10.0.0.4@tcp");
        target("10.0.0.3@tcp");
        for (String nid : new String[] {"10.0.0.2@tcp", "10.0.0.3@tcp", "10.0.0.4@tcp"}) {
            net.await(a.discover(Nid.parse(nid), false));
        }
        List<String> gone = new ArrayList<>();
        net.hold(header -> {
            if (header.portal() == PORTAL) {
                gone.add(header.destNid().toString());
            }
            return true;
        });
        Md md = a.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(from));
        for (int i = 0; i < 4; i++) {
            a.put(md, false, Nid.ANY, to("10.0.0.2@tcp"), PORTAL, 7, 0, 0);
            a.put(md, false, Nid.ANY, to("10.0.0.4@tcp"), PORTAL, 7, 0, 0);
        }
        net.settle();
        assertThat(gone).as("both are counted on partition 0").hasSize(4);
        assertThat(a.nis().getFirst().credits())
                .as("of 8, 8 are taken or waited for")
                .isZero();
        a.put(md, false, Nid.ANY, to("10.0.0.3@tcp"), PORTAL, 7, 0, 0);
        net.settle();
        assertThat(gone).as("partition 1 has credits").hasSize(5).last().isEqualTo("10.0.0.3@tcp");
        net.releaseAll();
        assertThat(from.lines()).hasSize(9).containsOnly("SEND");
        assertThat(a.nis().getFirst().credits()).isEqualTo(8);
        assertThat(a.nis().getFirst().minCredits()).isEqualTo(-1);
    }

    @Test
    @Requirement("cfg-030")
    void partitionsChangeUnderTrafficAndNothingIsLost() {
        net.withTunables(8, 8);
        LNet a = net.node(A.toString());
        for (int i = 2; i < 8; i++) {
            target("10.0.0." + i + "@tcp");
            net.await(a.discover(Nid.parse("10.0.0." + i + "@tcp"), false));
        }
        net.hold(header -> header.type() == MessageType.PUT && header.portal() == PORTAL);
        Md md = a.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(from));
        List<List<Integer>> maps = List.of(List.of(0), List.of(1), List.of(), List.of(1), List.of(0), List.of());
        int sent = 0;
        for (List<Integer> cpts : maps) {
            for (int i = 0; i < 60; i++) {
                a.put(md, false, Nid.ANY, to("10.0.0." + (2 + i % 6) + "@tcp"), PORTAL, 7, 0, 0);
                sent++;
            }
            net.release(7);
            a.selection().setNiCpts(A, cpts);
            net.settle();
            assertThat(a.nis().getFirst().cpts()).isEqualTo(cpts.isEmpty() ? List.of(0, 1) : cpts);
        }
        net.releaseAll();
        assertThat(from.lines()).hasSize(sent).containsOnly("SEND");
        NiInfo ni = a.nis().getFirst();
        assertThat(ni.credits()).isEqualTo(ni.maxCredits()).isEqualTo(16);
        assertThat(at.lines()).as("each arrives once").hasSize(sent).containsOnly("PUT");
        assertThat(a.messagesInUse()).isZero();
    }

    @Test
    @Requirement("cfg-030")
    void onlyPartitionsAndNisThatAreThere() {
        LNet a = net.node(A.toString());
        TwoNodes.expect(Errno.ERANGE, () -> a.selection().setNiCpts(A, List.of(2)));
        TwoNodes.expect(Errno.ENODEV, () -> a.selection().setNiCpts(A2, List.of(0)));
        assertThat(a.nis().getFirst().cpts()).containsExactly(0, 1);
        TwoNodes.expect(
                Errno.ERANGE,
                () -> a.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withCpt(2)));
    }

    @Test
    @Requirement({"snd-020", "cfg-090"})
    void theNiNearTheMemoryCarriesItUnlessTheRangeIsLarge() {
        net.withDeviceOn(A.toString(), 0).withDeviceOn(A2.toString(), 1);
        LNet a = net.node(A.toString(), A2.toString());
        target("10.0.0.9@tcp");
        net.await(a.discover(Nid.parse("10.0.0.9@tcp"), false));
        List<String> sources = new ArrayList<>();
        net.hold(header -> {
            sources.add(header.srcNid().toString());
            return false;
        });
        Md near =
                a.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(from).withCpt(0));
        Md far =
                a.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(from).withCpt(1));
        for (int i = 0; i < 4; i++) {
            a.put(near, false, Nid.ANY, to("10.0.0.9@tcp"), PORTAL, 7, 0, 0);
            net.settle();
        }
        assertThat(sources).hasSize(4).containsOnly(A.toString());
        sources.clear();
        for (int i = 0; i < 4; i++) {
            a.put(far, false, Nid.ANY, to("10.0.0.9@tcp"), PORTAL, 7, 0, 0);
            net.settle();
        }
        assertThat(sources).hasSize(4).containsOnly(A2.toString());
        sources.clear();
        a.set(Tunable.NUMA_RANGE, 20);
        for (int i = 0; i < 4; i++) {
            a.put(far, false, Nid.ANY, to("10.0.0.9@tcp"), PORTAL, 7, 0, 0);
            net.settle();
        }
        assertThat(sources).contains(A.toString(), A2.toString());
        a.set(Tunable.NUMA_RANGE, 0);
        sources.clear();
        Md anywhere = a.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(from));
        net.runOn(3);
        for (int i = 0; i < 4; i++) {
            a.put(anywhere, false, Nid.ANY, to("10.0.0.9@tcp"), PORTAL, 7, 0, 0);
            net.settle();
        }
        assertThat(sources).as("the thread is on node 1").hasSize(4).containsOnly(A2.toString());
    }
}
