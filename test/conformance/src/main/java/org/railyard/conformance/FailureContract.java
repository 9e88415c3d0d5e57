package org.railyard.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;

/**
 * Peers that misbehave, vanish or stand still; devices that go down. The status says what it was, and nobody else
 * suffers.
 */
public abstract class FailureContract extends LndContract {
    private static final long SECOND = 1_000_000_000L;

    /** Messages of memory that was freed: more than a peer has credits. */
    private static final int FREED = 20;

    /** Number of the first message behind those. */
    private static final int AFTER_FREED = 100;

    /** Of a path that lost a message before it can have been processed: it may be sent again. */
    private static final Set<HealthStatus> SURELY_NOT_PROCESSED = EnumSet.of(
            HealthStatus.LOCAL_DROPPED,
            HealthStatus.LOCAL_ABORTED,
            HealthStatus.LOCAL_NO_ROUTE,
            HealthStatus.LOCAL_TIMEOUT,
            HealthStatus.REMOTE_DROPPED);

    /** Of a failure on this side. */
    private static final Set<HealthStatus> LOCAL = EnumSet.of(
            HealthStatus.LOCAL_DROPPED,
            HealthStatus.LOCAL_ABORTED,
            HealthStatus.LOCAL_NO_ROUTE,
            HealthStatus.LOCAL_ERROR,
            HealthStatus.LOCAL_TIMEOUT);

    /** For subclasses. */
    protected FailureContract() {}

    /** What may be sent again has not arrived: otherwise it would arrive twice. */
    private static void assertNothingToArriveTwice(List<Loan> sent, ContractNode to) {
        assertThat(sent)
                .filteredOn(loan -> SURELY_NOT_PROCESSED.contains(loan.health()))
                .noneMatch(loan -> to.ledger().arrivals().stream()
                        .anyMatch(incoming -> incoming.number() == loan.number() && incoming.isStored()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 30_000})
    void aSenderThatIsRefusedLosesItsConnectionAndNobodyElseDoes(int length) {
        need(Capability.NODES_APART);
        ContractNode to = node(2);
        ContractNode bad = node(0);
        ContractNode good = node(1);
        exchange(bad, to, 1, length);
        exchange(good, to, 2, length);
        to.ledger().policy(incoming -> {
            if (incoming.number() == 666) {
                return Errno.EPROTO.status();
            }
            incoming.store();
            return 0;
        });
        List<Loan> behind = new ArrayList<>();
        behind.add(bad.put(to, 666, length));
        for (int i = 0; i < 10; i++) {
            Loan loan = Loan.put(
                    bad.nid(), to.nid(), 700 + i, Memory.inParts(length, 1).fill(700 + i));
            if (bad.send(bad.ni(), loan) == 0) {
                behind.add(loan);
            }
            exchange(good, to, 800 + i, length);
        }
        await("the refusal", () -> to.ledger().arrivals().stream().anyMatch(each -> each.number() == 666));
        elapse("the return of what was sent behind it", () -> behind.stream().allMatch(Loan::isReturned));
        getThrough(bad, to, 900);
        exchange(good, to, 901, length);
    }

    /** As an application that frees memory it has lent: its own messages fail, and hold nothing that others need. */
    @ParameterizedTest
    @ValueSource(ints = {100, 30_000})
    void memoryThatIsFreedFailsWhatIsSentFromIt(int length) {
        need(Capability.FREED_MEMORY, Capability.NODES_APART);
        ContractNode bad = node(0);
        ContractNode to = node(1);
        exchange(bad, to, 1, length);
        List<Loan> gone = new ArrayList<>();
        Arena arena = Arena.ofShared();
        for (int i = 0; i < FREED; i++) {
            gone.add(Loan.put(bad.nid(), to.nid(), 10 + i, Memory.in(arena, length)));
        }
        arena.close();
        gone.removeIf(loan -> bad.send(bad.ni(), loan) != 0);
        elapse("the return of what was taken", () -> gone.stream().allMatch(Loan::isReturned));
        assertThat(gone).noneMatch(Loan::isGood);
        assertThat(to.ledger().arrivals()).noneMatch(incoming -> incoming.number() >= 10 && incoming.isStored());
        getThrough(bad, to, 100);
        exchange(bad, to, 101, length);
        exchange(to, bad, 102, length);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 30_000})
    void memoryThatIsFreedFailsWhatIsReceivedIntoIt(int length) {
        need(Capability.FREED_MEMORY, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode bad = node(1);
        exchange(from, bad, 1, length);
        bad.ledger().policy(incoming -> {
            // What was sent well may still arrive when others get through already.
            if (incoming.number() >= AFTER_FREED) {
                incoming.store();
                return 0;
            }
            Arena arena = Arena.ofShared();
            Memory memory = Memory.in(arena, length);
            arena.close();
            incoming.storeInto(memory);
            return 0;
        });
        List<Loan> sent = new ArrayList<>();
        for (int i = 0; i < FREED; i++) {
            Loan loan = Loan.put(
                    from.nid(), bad.nid(), 10 + i, Memory.inParts(length, 1).fill(10 + i));
            if (from.send(from.ni(), loan) == 0) {
                sent.add(loan);
            }
        }
        elapse("the return of all that was sent", () -> sent.stream().allMatch(Loan::isReturned));
        elapse(
                "the return of all that was to be received",
                () -> bad.ledger().arrivals().stream()
                        .filter(incoming -> incoming.number() >= 10)
                        .allMatch(IncomingHeader::isReturned));
        getThrough(from, bad, AFTER_FREED);
        exchange(from, bad, AFTER_FREED + 1, length);
        exchange(bad, from, AFTER_FREED + 2, length);
        assertThat(bad.ledger().arrivals())
                .noneMatch(
                        incoming -> incoming.number() >= 10 && incoming.number() < AFTER_FREED && incoming.isStored());
    }

    @Test
    void nobodyIsThere() {
        need(Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode other = node(1);
        Loan loan = Loan.put(from.nid(), fixture().nobody(), 1, Memory.inParts(5000, 1));
        int status = from.send(from.ni(), loan);
        exchange(from, other, 2, 5000);
        if (status == 0) {
            elapse("the return of " + loan, loan::isReturned);
            assertThat(loan.isGood()).isFalse();
            assertThat(loan.health())
                    .isIn(
                            HealthStatus.REMOTE_DROPPED,
                            HealthStatus.REMOTE_ERROR,
                            HealthStatus.LOCAL_NO_ROUTE,
                            HealthStatus.NETWORK_TIMEOUT);
        }
        // Asked again at once, it answers again.
        Loan again = Loan.put(from.nid(), fixture().nobody(), 3, Memory.inParts(10, 1));
        if (from.send(from.ni(), again) == 0) {
            elapse("the return of " + again, again::isReturned);
            assertThat(again.isGood()).isFalse();
        }
    }

    @Test
    void aPeerThatTakesNothingMoreIsGivenUpInTime() {
        need(Capability.STALL, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode stalled = node(1);
        ContractNode other = node(2);
        settle(from, stalled, other);
        fixture().stall(from.nid(), stalled.nid(), true);
        List<Loan> flood = from.flood(stalled);
        exchange(from, other, 2, 10_000);
        elapse("the end of all messages", () -> flood.stream().allMatch(Loan::isReturned));
        assertPlaces(flood);
        assertNothingToArriveTwice(flood, stalled);
        fixture().stall(from.nid(), stalled.nid(), false);
        getThrough(from, stalled, 3);
    }

    /** What left is well; what had begun to leave is the network's loss; what had not is this node's (spec 10 §22). */
    private static void assertPlaces(List<Loan> inOrder) {
        List<HealthStatus> found = inOrder.stream().map(Loan::health).distinct().toList();
        assertThat(found)
                .endsWith(HealthStatus.NETWORK_TIMEOUT, HealthStatus.LOCAL_TIMEOUT)
                .isSubsetOf(HealthStatus.OK, HealthStatus.NETWORK_TIMEOUT, HealthStatus.LOCAL_TIMEOUT);
        assertThat(inOrder)
                .as("sorted by how far they got")
                .isSortedAccordingTo((a, b) -> Integer.compare(found.indexOf(a.health()), found.indexOf(b.health())));
        assertThat(inOrder)
                .filteredOn(loan -> !loan.isGood())
                .allMatch(loan -> loan.status() == Errno.ETIMEDOUT.status());
    }

    @Test
    void aMessageMayHaveALimitOfItsOwn() {
        need(Capability.STALL, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode stalled = node(1);
        settle(from, stalled);
        fixture().stall(from.nid(), stalled.nid(), true);
        List<Loan> flood = from.flood(stalled);
        Loan hurried = Loan.put(from.nid(), stalled.nid(), 99, Memory.inParts(100_000, 1), SECOND);
        assertThat(from.send(from.ni(), hurried)).isZero();
        long start = fixture().nanoTime();
        elapse("the end of the message with a limit", hurried::isReturned);
        assertThat(fixture().nanoTime() - start)
                .as("time the message took, ns; the transport's own limit is longer")
                .isLessThan(fixture().timeoutNanos());
        assertThat(hurried.status()).isEqualTo(Errno.ETIMEDOUT.status());
        assertThat(hurried.health()).isEqualTo(HealthStatus.LOCAL_TIMEOUT);
        elapse("the end of all others", () -> flood.stream().allMatch(Loan::isReturned));
    }

    @Test
    void connectionsThatBreakGiveBackWhatDidNotLeave() {
        need(Capability.RESET, Capability.STALL, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = node(1);
        ContractNode other = node(2);
        settle(from, to, other);
        fixture().stall(from.nid(), to.nid(), true);
        List<Loan> flood = from.flood(to);
        fixture().reset(from.nid(), to.nid());
        fixture().stall(from.nid(), to.nid(), false);
        elapse("the end of all messages", () -> flood.stream().allMatch(Loan::isReturned));
        assertThat(SURELY_NOT_PROCESSED)
                .as("a message that did not leave can not have been processed")
                .contains(flood.getLast().health());
        assertNothingToArriveTwice(flood, to);
        exchange(from, other, 3, 10_000);
        getThrough(from, to, 4);
        getThrough(to, from, 5);
    }

    @Test
    void aPayloadThatIsCutOffIsGivenBack() {
        need(Capability.RESET, Capability.ANSWER_LATER, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = node(1);
        Held held = new Held();
        to.ledger().policy(held::hold);
        from.flood(to);
        await("the first header", () -> !held.isEmpty());
        fixture().reset(from.nid(), to.nid());
        IncomingHeader incoming = held.first();
        incoming.store();
        elapse("the end of " + incoming, incoming::isReturned);
        to.ledger().storeAll();
        getThrough(from, to, 100);
    }

    @Test
    void aDeviceGoesDownAndComesBack() {
        need(Capability.DEVICE_EVENTS, Capability.START_AND_STOP, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = node(1);
        Nid farRail1 = fixture().nid(1, 1);
        to.add(farRail1);
        LndNi rail1 = from.add(fixture().nid(0, 1));
        exchange(from, to, 1, 5000);
        exchange(from, rail1, to, farRail1, 2, 5000);
        fixture().device(0, 1, false);
        ContractStack.DeviceNews down = new ContractStack.DeviceNews(rail1, DeviceEvent.FATAL);
        elapse("the news of the device", () -> from.ledger().deviceNews().contains(down));
        Loan loan = Loan.put(rail1.nid(), farRail1, 3, Memory.inParts(5000, 1));
        if (from.send(rail1, loan) == 0) {
            elapse("the return of " + loan, loan::isReturned);
            assertThat(LOCAL).as("no other device is to blame").contains(loan.health());
        }
        for (int i = 0; i < 10; i++) {
            exchange(from, to, 10 + i, 5000);
        }
        assertThat(from.ledger().peerNews())
                .as("the peer is not to blame")
                .noneMatch(news -> news.ni() == rail1 && !news.alive());
        fixture().device(0, 1, true);
        ContractStack.DeviceNews up = new ContractStack.DeviceNews(rail1, DeviceEvent.CLEAR);
        elapse("the news that it is back", () -> from.ledger().deviceNews().contains(up));
        assertThat(from.ledger().deviceNews())
                .as("apart from those of a device that works in part")
                .filteredOn(news -> news.event() != DeviceEvent.DEGRADED)
                .startsWith(down, up)
                .containsOnlyOnce(down);
        List<Loan> tries = new ArrayList<>();
        elapse("an arrival over the device that came back", () -> {
            if (tries.stream().allMatch(Loan::isReturned)) {
                Loan next = Loan.put(rail1.nid(), farRail1, 50, Memory.inParts(5000, 1));
                if (from.send(rail1, next) == 0) {
                    tries.add(next);
                }
            }
            return to.ledger().arrivals().stream().anyMatch(each -> each.number() == 50);
        });
    }

    @Test
    void aDeviceThatGoesDownGivesBackWhatIsToBeSent() {
        need(Capability.DEVICE_EVENTS, Capability.ANSWER_LATER, Capability.NODES_APART);
        ContractNode from = node(0);
        ContractNode to = node(1);
        to.ledger().policy(incoming -> 0);
        List<Loan> flood = from.flood(to);
        await("the first header", () -> to.ledger().arrived() > 0);
        fixture().device(0, 0, false);
        elapse("the return of all messages", () -> flood.stream().allMatch(Loan::isReturned));
        assertThat(SURELY_NOT_PROCESSED)
                .as("a message that did not leave can not have been processed")
                .contains(flood.getLast().health());
        assertThat(flood)
                .as("the peer is not to blame")
                .allMatch(loan -> loan.isGood() || LOCAL.contains(loan.health()));
        assertNothingToArriveTwice(flood, to);
    }
}
