package org.railyard.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;

/** NIs come and go; what was lent comes back before they are gone. */
public abstract class LifecycleContract extends LndContract {
    /** For subclasses. */
    protected LifecycleContract() {}

    @Test
    void saysWhatItIs() {
        ContractNode node = node(0);
        assertThat(node.lnd().type().number()).isEqualTo(node.nid().typeNumber());
        assertThat(node.lnd().timeoutSeconds()).isNotNegative();
    }

    @Test
    void aDeviceThatIsNotThereIsTurnedDown() {
        ContractNode node = node(0);
        assertThatThrownBy(() -> node.lnd().resolve(fixture().withoutDevice()))
                .asInstanceOf(InstanceOfAssertFactories.type(ErrnoException.class))
                .extracting(ErrnoException::errno)
                .isIn(Errno.ENETDOWN, Errno.EINVAL);
    }

    @Test
    void aTunableThatIsNotKnownIsTurnedDown() {
        need(Capability.START_AND_STOP, Capability.TUNABLES);
        ContractNode node = node(0);
        NiRequest request = NiRequest.ofNid(fixture().nid(0, 1)).withLndTunables(Map.of("no_such_tunable", 1));
        assertThatThrownBy(() -> node.lnd().resolve(request))
                .asInstanceOf(InstanceOfAssertFactories.type(ErrnoException.class))
                .extracting(ErrnoException::errno)
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void anNiIsStartedOnce() {
        need(Capability.START_AND_STOP);
        ContractNode node = node(0);
        ContractNode other = partnerOf(node);
        assertThatThrownBy(() -> node.lnd().startup(node.ni())).isInstanceOf(ErrnoException.class);
        // The one that runs is none the worse for it.
        exchange(node, other, 1, 3000);
        exchange(other, node, 2, 3000);
    }

    @Test
    void anNiCanBeStartedAgain() {
        need(Capability.START_AND_STOP);
        ContractNode node = node(0);
        ContractNode other = partnerOf(node);
        for (int life = 0; life < 3; life++) {
            getThrough(node, other, 10 + life);
            getThrough(other, node, 20 + life);
            node.lnd().shutdown(node.ni());
            node.lnd().shutdown(node.ni());
            node.start(node.ni());
        }
        node.close();
        node.close();
        Loan loan = Loan.put(node.nid(), other.nid(), 99, Memory.inParts(10, 1));
        assertThat(node.send(node.ni(), loan))
                .as("a send on a closed transport")
                .isNegative();
    }

    @Test
    void shutdownGivesBackWhatIsToBeSent() {
        need(Capability.START_AND_STOP, Capability.ANSWER_LATER, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = node(1);
        Held unanswered = new Held();
        to.ledger().policy(unanswered::hold);
        List<Loan> flood = from.flood(to);
        await("the first header", () -> !unanswered.isEmpty());
        from.lnd().shutdown(from.ni());
        assertThat(flood).as("all given back before shutdown returns").allMatch(Loan::isReturned);
        assertThat(flood.getLast().status()).isEqualTo(Errno.ESHUTDOWN.status());
        assertThat(flood)
                .filteredOn(loan -> !loan.isGood())
                .allMatch(loan -> loan.status() == Errno.ESHUTDOWN.status() && loan.health() != HealthStatus.OK);
    }

    @Test
    void shutdownGivesBackWhatIsBeingReceived() {
        need(Capability.START_AND_STOP, Capability.ANSWER_LATER, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = node(1);
        Held unanswered = new Held();
        to.ledger().policy(unanswered::hold);
        from.put(to, 1, 100_000);
        await("the header", () -> !unanswered.isEmpty());
        to.lnd().shutdown(to.ni());
        IncomingHeader late = unanswered.first();
        late.store();
        await("the return of what was handed in too late", late::isReturned);
        assertThat(late.isStored()).isFalse();
    }

    @Test
    void nothingComesInAfterShutdown() {
        need(Capability.START_AND_STOP, Capability.NODES_APART);
        ContractNode stopped = node(0);
        ContractNode other = node(1);
        ContractNode third = node(2);
        exchange(other, stopped, 1, 100);
        stopped.lnd().shutdown(stopped.ni());
        int before = stopped.ledger().arrived();
        List<Loan> tries = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Loan loan = Loan.put(other.nid(), stopped.nid(), 10 + i, Memory.inParts(100, 1));
            if (other.send(other.ni(), loan) == 0) {
                tries.add(loan);
            }
            exchange(other, third, 100 + i, 100);
        }
        elapse("the end of what was sent to it", () -> tries.stream().allMatch(Loan::isReturned));
        assertThat(stopped.ledger().arrived()).isEqualTo(before);
    }

    @Test
    void anNiComesAndGoesWhileAnotherOneWorks() {
        need(Capability.START_AND_STOP, Capability.NODES_APART);
        ContractNode one = node(0);
        ContractNode other = node(1);
        Nid farRail1 = fixture().nid(1, 1);
        other.add(farRail1);
        List<Loan> steady = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            steady.addAll(burst(one, other, round * 1000));
            LndNi rail1 = one.add(fixture().nid(0, 1));
            steady.addAll(burst(one, other, round * 1000 + 100));
            exchange(one, rail1, other, farRail1, 50_000 + round, 2000);
            steady.addAll(burst(one, other, round * 1000 + 200));
            one.lnd().shutdown(rail1);
        }
        awaitReturned(steady);
        assertThat(steady).as("the NI that stays notices nothing").allMatch(Loan::isGood);
        await("all arrivals", () -> other.ledger().hasStored(steady.size() + 5));
    }

    private static List<Loan> burst(ContractNode from, ContractNode to, int first) {
        List<Loan> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sent.add(from.put(to, first + i, i * 1000));
        }
        return sent;
    }

    @Test
    void aPeerMayRestart() {
        need(Capability.START_AND_STOP, Capability.NODES_APART);
        ContractNode steady = node(0);
        for (int life = 0; life < 3; life++) {
            ContractNode peer = node(1);
            getThrough(steady, peer, life);
            getThrough(peer, steady, 1000 + life);
            // What it leaves behind when it goes must not be mistaken for the next one's.
            steady.put(peer, 2000 + life, 50_000);
            peer.close();
        }
    }

    @Test
    void closeGivesEverythingBack() {
        need(Capability.NODES_APART, Capability.ANSWER_LATER);
        ContractNode from = node(0);
        ContractNode to = node(1);
        to.ledger().policy(incoming -> 0);
        List<Loan> flood = from.flood(to);
        await("the first header", () -> to.ledger().arrived() > 0);
        from.close();
        assertThat(flood).allMatch(Loan::isReturned);
        assertThat(flood.getLast().isGood()).isFalse();
    }
}
