package org.railyard.lnet.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * What becomes of send credits when an NI gets other CPU partitions (spec 10 §7): none is given twice, and nobody
 * waits at a partition that is gone.
 */
class NiCreditsTest {
    private static final NetTunables TUNABLES = new NetTunables(180, 1, 0, 64);
    private static final int[] ONE = {0};
    private static final int[] BOTH = {0, 1};

    private final MessageQueue going = new MessageQueue();

    /** Makes messages whose next hop is counted on a partition of both. */
    private static List<Message> messagesOn(int cpt, int count) {
        List<Message> messages = new ArrayList<>();
        for (int number = 1; messages.size() < count; number++) {
            Nid nid = Nid.of(Net.TCP, number);
            if (CptTable.ofNid(nid, BOTH) == cpt) {
                Message message = new Message();
                message.path().peerNi = new PeerNi(nid, new PeerNet(Net.TCP, new Peer(nid)), 1);
                messages.add(message);
            }
        }
        return messages;
    }

    @Test
    void eachPartitionHasItsShare() {
        NiCredits credits = new NiCredits(TUNABLES, BOTH);
        messagesOn(1, 3).forEach(credits::take);
        assertThat(credits.value(0)).isEqualTo(32);
        assertThat(credits.value(1)).isEqualTo(29);
        assertThat(credits.value()).isEqualTo(61);
        credits.checkInvariants("an NI");
    }

    @Test
    void whatIsInUseStaysInUse() {
        NiCredits credits = new NiCredits(TUNABLES, ONE);
        messagesOn(1, 3).forEach(credits::take);
        credits.move(BOTH, going);
        assertThat(going.isEmpty()).isTrue();
        assertThat(credits.value(0)).as("kept, with a smaller share").isEqualTo(29);
        assertThat(credits.value(1)).isEqualTo(32);
        assertThat(credits.value()).isEqualTo(61);
        credits.checkInvariants("an NI");
    }

    @Test
    void whoWaitedAtAShareThatGrowsGoes() {
        NiCredits credits = new NiCredits(TUNABLES, BOTH);
        List<Message> messages = messagesOn(0, 34);
        messages.forEach(credits::take);
        credits.move(ONE, going);
        assertThat(going.poll()).isSameAs(messages.get(32));
        assertThat(going.poll()).isSameAs(messages.get(33));
        assertThat(going.isEmpty()).isTrue();
        assertThat(credits.value(0)).isEqualTo(30);
    }

    @Test
    void whoWaitedAtAPartitionThatIsGoneWaitsNoLonger() {
        NiCredits credits = new NiCredits(TUNABLES, BOTH);
        List<Message> messages = messagesOn(1, 33);
        messages.forEach(credits::take);
        assertThat(credits.first()).isSameAs(messages.get(32));
        credits.move(ONE, going);
        assertThat(going.poll()).isSameAs(messages.get(32));
        assertThat(going.isEmpty()).isTrue();
        assertThat(credits.first()).isNull();
        messages.forEach(message -> assertThat(credits.giveBack(message)).isNull());
        assertThat(credits.value()).isEqualTo(credits.max()).isEqualTo(64);
    }
}
