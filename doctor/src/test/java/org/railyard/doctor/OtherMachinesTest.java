package org.railyard.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.doctor.HostFacts.Holder;
import org.railyard.doctor.HostFacts.Passage;
import org.railyard.doctor.HostFacts.Way;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Nid;

/** Findings about other machines: those that have what is ours, and those that are set up in another way. */
final class OtherMachinesTest extends Examined {
    private void reported(String... nids) {
        List<Nid> all = Arrays.stream(nids).map(Nid::parse).toList();
        setup.reports.add(new Setup.Reported(all.getFirst(), all.getFirst(), all));
    }

    @Test
    void anAddressThatAnotherMachineAnswersFor() {
        facts.holders.put("10.0.0.2", new Holder(Way.Kind.DEVICE, "02:42:AC:11:00:02"));
        assertThat(ids()).as("nobody is asked without a probe").isEmpty();
        setup.asked = true;
        Finding finding = only("duplicate-address");
        assertThat(finding.subject()).isEqualTo("10.0.0.2");
        assertThat(finding.found()).contains("02:42:AC:11:00:02");
        assertThat(finding.mend()).first().asString().startsWith("arping -D -c 2 -I eth1 10.0.0.2   #");
    }

    @Test
    void whereNobodyCanBeAskedOneLineSaysSoForAll() {
        setup.asked = true;
        facts.holders.put("10.0.0.1", new Holder(Way.Kind.UNKNOWN, "because of this"));
        facts.holders.put("10.0.0.2", new Holder(Way.Kind.UNKNOWN, "because of this"));
        assertThat(examine().notChecked())
                .containsExactly("whether other machines have addresses of this one, because of this: eth0, eth1");
    }

    @Test
    void manyPeersThatSayNothingAreOneLine() {
        setup.asked = true;
        facts.tooLong = Passage.SILENT;
        facts.largest = 0;
        for (int i = 3; i < 30; i++) {
            setup.peer(Snapshots.peer("10.0.0." + i + "@tcp"));
        }
        assertThat(examine().notChecked()).singleElement().asString().endsWith("10.0.0.9, 10.0.0.10 and 19 more");
    }

    @Test
    void twoPeersThatSayTheyHaveOneNid() {
        setup.asked = true;
        reported("10.0.0.5@tcp", "10.0.0.6@tcp");
        reported("10.0.0.5@tcp", "10.0.0.6@tcp");
        assertThat(ids()).as("one node under two names").isEmpty();
        reported("10.0.0.7@tcp", "10.0.0.6@tcp");
        Finding finding = only("duplicate-nid");
        assertThat(finding.subject()).isEqualTo("NID 10.0.0.6@tcp");
        assertThat(finding.found()).isEqualTo("peer 10.0.0.7@tcp says that it has it, and so does peer 10.0.0.5@tcp");
        assertThat(finding.mend()).first().asString().startsWith("ip neigh show to 10.0.0.6   #");
    }

    @Test
    void aPeerThatSaysItHasOurNid() {
        setup.asked = true;
        reported("10.0.0.5@tcp", "10.0.0.1@tcp");
        assertThat(only("duplicate-nid").found())
                .isEqualTo("peer 10.0.0.5@tcp says that it has it, and so does this node");
        setup.reports.clear();
        reported("10.0.0.1@tcp", "10.0.0.2@tcp");
        assertThat(ids()).as("this node itself").isEmpty();
    }

    @Test
    void aPeerThatIsCalledByOurNid() {
        setup.asked = true;
        reported("10.0.0.1@tcp", "10.1.0.5@tcp1");
        assertThat(only("duplicate-nid").found()).contains("so does this node");
    }

    @Test
    void twoNodesThatAreSetUpAlike() {
        setup.asked = true;
        answered("10.1.0.5@tcp1", "10.0.0.5@tcp", "10.1.0.5@tcp1");
        answered("10.0.0.5@tcp", "10.0.0.5@tcp", "10.1.0.6@tcp1");
        assertThat(ids())
                .as("the second NID of a node that has another one now")
                .isEmpty();
        answered("10.1.0.6@tcp1", "10.0.0.5@tcp", "10.1.0.6@tcp1");
        Finding finding = only("duplicate-nid");
        assertThat(finding.subject()).isEqualTo("NID 10.0.0.5@tcp");
        assertThat(finding.found()).isEqualTo("peer 10.1.0.6@tcp1 says that it has it, and so does peer 10.1.0.5@tcp1");
    }

    private void answered(String asked, String... nids) {
        List<Nid> all = Arrays.stream(nids).map(Nid::parse).toList();
        setup.reports.add(new Setup.Reported(all.getFirst(), Nid.parse(asked), all));
    }

    @Test
    void creditsThatDifferBetweenNodes() {
        setup.agreed.add(new Setup.Agreed(Nid.parse("10.0.0.5@o2ib"), 32, 32));
        assertThat(ids()).isEmpty();
        setup.agreed.add(new Setup.Agreed(Nid.parse("10.0.0.5@o2ib"), 32, 8));
        Finding finding = only("peer-credits-differ");
        assertThat(finding.found()).isEqualTo("connections have a queue depth of 8; this node asks for 32");
        assertThat(finding.mend()).last().asString().endsWith("options ko2iblnd peer_credits=32");
    }

    @Test
    void discoveryThatIsOffThere() {
        PeerInfo peer = Snapshots.peer("10.0.0.5@tcp");
        int state = PeerState.NO_DISCOVERY | PeerState.DISCOVERED;
        setup.peer(new PeerInfo(peer.primaryNid(), false, state, peer.nis()));
        assertThat(only("peer-discovery-off").subject()).isEqualTo("peer 10.0.0.5@tcp");
        setup.set(Tunable.DISCOVERY, 0);
        assertThat(ids()).as("off here too").containsExactly("discovery-off");
    }
}
