package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.sm.role.OneAmongOthers.RETRIES;
import static org.railyard.sm.role.OneAmongOthers.SECOND;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.role.Mastership.Verdict;

/** What one does about the others, step by step (spec 41 §1). It has priority 5 and gives up after two more polls. */
class MastershipTest {
    private static final Fabric FABRIC = SampleTorus.torus(2, 2, 1, 1).fabric();
    private static final int OWN = host(0);
    private static final int FIRST = host(1);
    private static final int SECOND_HOST = host(2);
    private static final int POLL_RETRIES = 2;
    private static final RoleSettings SETTINGS =
            new RoleSettings(OneAmongOthers.PRIORITY, RoleSettings.DEFAULT.smKey(), SECOND, POLL_RETRIES);
    private static final Verdict NOT_MASTER = new Verdict(false, false, false, List.of());
    private static final Verdict MASTER = new Verdict(true, false, false, List.of());

    private final OneAmongOthers one = new OneAmongOthers(FABRIC, OWN, SETTINGS);
    private final Mastership mastership = one.mastership;

    private static int host(int number) {
        return FABRIC.portIndex(FABRIC.switchCount() + number, 1);
    }

    private SmRole role() {
        return mastership.role();
    }

    /** Makes it master, and then adds another one. */
    private ScriptedManager masterBeside(int priority, SmRole role) {
        assertThat(one.start()).isEqualTo(MASTER);
        return one.other(FIRST, priority, role);
    }

    /** Makes it a standby of a master. */
    private ScriptedManager standbyOf(int priority) {
        ScriptedManager master = one.other(FIRST, priority, SmRole.MASTER);
        assertThat(one.start()).isEqualTo(NOT_MASTER);
        assertThat(role()).isEqualTo(SmRole.STANDBY);
        return master;
    }

    /** Runs until the role is another one; there has to be enough time. */
    private void untilLooksAgain() {
        assertThat(one.loop.runUntil(() -> role() == SmRole.DISCOVERING, 60 * SECOND))
                .isTrue();
    }

    // What others are told.

    @Test
    void itTellsWhatItIsAndThatItLives() {
        one.activity = 0x7_0000_0003L;
        mastership.start();
        SmInfo info = mastership.info();
        assertThat(info.get(SmInfo.GUID)).isEqualTo(FABRIC.portGuid(OWN));
        assertThat(info.get(SmInfo.ACT_COUNT)).isEqualTo(3);
        assertThat(info.get(SmInfo.PRIORITY)).isEqualTo(5);
        assertThat(info.get(SmInfo.STATE)).isEqualTo(SmInfo.DISCOVERING);
    }

    // Who is master.

    @Test
    void aloneItIsMaster() {
        assertThat(one.start()).isEqualTo(MASTER);
        assertThat(one.roles).containsExactly("discovering: start", "master: there is no other master");
    }

    @Test
    void whoTakesOverSaysSo() {
        ScriptedManager master = standbyOf(3);
        master.isSilent = true;
        untilLooksAgain();
        assertThat(one.sweeps).singleElement().asString().endsWith("does not answer");
        assertThat(one.elect()).isEqualTo(new Verdict(true, true, false, List.of()));
        assertThat(one.roles).last().isEqualTo("master: taken over");
        assertThat(mastership.others()).isEmpty();
    }

    @Test
    void whoIsHandedTheSubnetWhileItLooksIsMaster() {
        ScriptedManager master = one.other(FIRST, 3, SmRole.MASTER);
        mastership.start();
        one.told(SmInfo.HANDOVER, master.info());
        assertThat(role()).as("it finds out first what there is").isEqualTo(SmRole.DISCOVERING);
        assertThat(one.elect()).isEqualTo(new Verdict(true, true, false, List.of()));
        assertThat(one.elect()).as("once").isEqualTo(MASTER);
    }

    @Test
    void aMasterHandsOverToAHigherOne() {
        ScriptedManager higher = masterBeside(9, SmRole.STANDBY);
        assertThat(one.elect()).isEqualTo(NOT_MASTER);
        assertThat(higher.sets).containsExactly(SmInfo.HANDOVER);
        assertThat(one.handingOver).isEqualTo(1);
        assertThat(mastership.isHandingOver()).isFalse();
        assertThat(one.roles).last().asString().startsWith("standby: handed over to");
        one.loop.runFor(3 * SECOND);
        assertThat(role()).as("it watches the new master").isEqualTo(SmRole.STANDBY);
        assertThat(higher.asked).isGreaterThan(2);
    }

    @Test
    void whoDoesNotTakeOverLeavesTheMasterInDoubt() {
        ScriptedManager higher = masterBeside(9, SmRole.STANDBY);
        higher.refuses = true;
        Verdict verdict = one.elect();
        assertThat(verdict.isMaster()).isTrue();
        assertThat(verdict.isTakenOver()).isFalse();
        assertThat(verdict.isDoubtful()).isTrue();
        assertThat(verdict.notes()).singleElement().asString().endsWith("is higher, but does not take over");
        assertThat(role()).isEqualTo(SmRole.MASTER);
    }

    @Test
    void onceStoppedItIsNotMasterWhateverTheOtherSays() {
        ScriptedManager higher = masterBeside(9, SmRole.STANDBY);
        FoundSubnet found = one.discover();
        List<Verdict> verdicts = new ArrayList<>();
        mastership.elect(found, verdicts::add);
        assertThat(one.loop.runUntil(() -> !higher.sets.isEmpty(), SECOND)).isTrue();
        assertThat(mastership.isHandingOver()).isTrue();
        mastership.stop();
        assertThat(one.loop.runUntil(() -> !verdicts.isEmpty(), SECOND)).isTrue();
        assertThat(verdicts).containsExactly(NOT_MASTER);
        assertThat(role()).isEqualTo(SmRole.NOT_ACTIVE);
    }

    @Test
    void onceStoppedItIsNotMasterWhateverTheSearchFinds() {
        mastership.start();
        FoundSubnet found = one.discover();
        mastership.stop();
        List<Verdict> verdicts = new ArrayList<>();
        mastership.elect(found, verdicts::add);
        assertThat(one.loop.runUntil(() -> !verdicts.isEmpty(), SECOND)).isTrue();
        assertThat(verdicts).containsExactly(NOT_MASTER);
    }

    @Test
    void aSilentPortHoldsAMasterUpLess() {
        ScriptedManager silent = one.other(FIRST, 9, SmRole.STANDBY);
        silent.isSilent = true;
        one.start();
        assertThat(silent.asked).as("nobody becomes master too soon").isEqualTo(1 + RETRIES);
        silent.asked = 0;
        one.elect();
        assertThat(silent.asked).isEqualTo(4);
    }

    // Trap 144 makes a lower master look at the subnet, and hand over.

    @ParameterizedTest
    @CsvSource({
        "MASTER, 3, 1, 5, 9, '9 from 5'",
        "STANDBY, 3, 1, 5, 9, ",
        "MASTER, 9, 1, 5, 9, ",
        "MASTER, 3, 77, 5, 9, ",
        "MASTER, 3, 1, 0, 9, ",
        "MASTER, 3, 1, 5, 0, "
    })
    void aMasterCallsALowerMasterThatIsTrusted(
            SmRole role, int priority, long key, int ownLid, int lid, @Nullable String trap) {
        ScriptedManager other = masterBeside(priority, role);
        other.key = key;
        one.says(ownLid, ownLid);
        one.says(FIRST, lid, lid, PortState.ACTIVE);
        one.elect();
        assertThat(one.traps).isEqualTo(trap == null ? List.of() : List.of(trap));
    }

    @Test
    void aLightSweepCallsItByTheLidsOfNow() {
        ScriptedManager other = masterBeside(3, SmRole.MASTER);
        one.says(FIRST, 9, 9, PortState.ACTIVE);
        one.elect();
        assertThat(one.traps).as("the own port had no LID").isEmpty();
        one.says(5, 5);
        assertThat(one.look(true)).isEmpty();
        one.traps.clear();
        one.look(true);
        assertThat(one.traps).containsExactly("9 from 5");
        other.role = SmRole.STANDBY;
        one.look(true);
        assertThat(one.traps).hasSize(1);
    }

    @Test
    void aStandbyCallsALowerMasterWithEachPoll() {
        one.says(5, 9);
        ScriptedManager master = standbyOf(3);
        assertThat(one.traps).as("its LID is what the own port says").containsExactly("9 from 5");
        one.says(6, 10);
        one.loop.runFor(SECOND + SECOND / 2);
        assertThat(one.traps).containsExactly("9 from 5", "10 from 6");
        one.subnet.silence(FABRIC.nodeOf(OWN), true);
        one.loop.runFor(SECOND);
        assertThat(one.traps)
                .as("without an answer they are as before")
                .hasSize(3)
                .last()
                .isEqualTo("10 from 6");
        one.subnet.silence(FABRIC.nodeOf(OWN), false);
        master.priority = 9;
        one.loop.runFor(3 * SECOND);
        assertThat(one.traps).as("a higher one is left alone").hasSize(3);
    }

    // The bit by which others find it.

    @Test
    void aMasterMarksItsPortAgain() {
        assertThat(one.start()).isEqualTo(MASTER);
        assertThat(one.look(false)).isEmpty();
        one.own.markSm(false);
        assertThat(one.look(false)).containsExactly("the own port did not say any more that a subnet manager is there");
        assertThat(one.look(false)).isEmpty();
        assertThat(one.marked).isEqualTo(1);
        one.own.markSm(false);
        one.elect();
        assertThat(one.loop.runUntil(() -> one.marked == 2, SECOND)).isTrue();
    }

    @Test
    void aPortThatCanNotBeMarkedIsToldOnceAndTriedAgain() {
        assertThat(one.start()).isEqualTo(MASTER);
        one.own.markSm(false);
        one.cannotBeMarked = new ErrnoException(Errno.EBUSY, "the device is in use");
        assertThat(one.look(false))
                .containsExactly("the own port did not say any more that a subnet manager is there,"
                        + " and does not again: EBUSY: the device is in use");
        assertThat(one.look(false)).isEmpty();
        one.cannotBeMarked = null;
        one.look(false);
        assertThat(one.look(false)).isEmpty();
        assertThat(one.marked).isEqualTo(3);
    }

    @Test
    void aStandbyMarksItsPortAgain() {
        standbyOf(9);
        one.own.markSm(false);
        one.loop.runFor(2 * SECOND);
        assertThat(one.marked).isEqualTo(1);
    }

    @Test
    void whoIsNotActiveDoesNotMarkItsPort() {
        ScriptedManager master = standbyOf(9);
        one.told(SmInfo.DISABLE, master.info());
        one.own.markSm(false);
        one.elect();
        one.loop.runFor(2 * SECOND);
        assertThat(one.marked).isZero();
    }

    // Light sweeps of a master.

    @Test
    void whoAnsweredIsAskedMorePatientlyThanWhoNeverDid() {
        ScriptedManager known = masterBeside(3, SmRole.STANDBY);
        ScriptedManager silent = one.other(SECOND_HOST, 3, SmRole.STANDBY);
        silent.isSilent = true;
        one.says(5, 5);
        one.elect();
        known.isSilent = true;
        known.asked = 0;
        silent.asked = 0;
        assertThat(one.look(true)).as("one standby less changes nothing").isEmpty();
        assertThat(known.asked).isEqualTo(1 + RETRIES);
        assertThat(silent.asked).isEqualTo(1);
        assertThat(mastership.others()).isEmpty();
    }

    @Test
    void aMasterThatFallsSilentLeavesASubnetToLookAt() {
        ScriptedManager other = masterBeside(3, SmRole.MASTER);
        one.says(5, 5);
        one.elect();
        other.isSilent = true;
        assertThat(one.look(true))
                .singleElement()
                .asString()
                .startsWith("the other master")
                .endsWith("any more");
    }

    @ParameterizedTest
    @CsvSource({"STANDBY, 9, 1, true", "STANDBY, 3, 1, false", "STANDBY, 9, 77, false", "NOT_ACTIVE, 9, 1, false"})
    void aHigherOneIsAReasonToLook(SmRole role, int priority, long key, boolean isReason) {
        ScriptedManager other = masterBeside(3, SmRole.STANDBY);
        one.says(5, 5);
        one.elect();
        other.role = role;
        other.priority = priority;
        other.key = key;
        List<String> reasons = one.look(true);
        assertThat(reasons).hasSize(isReason ? 1 : 0).allMatch(reason -> reason.endsWith("is higher"));
        assertThat(mastership.others()).extracting(OtherManager::priority).containsExactly(priority);
    }

    @Test
    void anOwnLinkThatWasDownIsTold() {
        one.start();
        one.says(OWN, 5, 5, PortState.INIT);
        assertThat(one.look(true)).containsExactly("the own link was down");
        assertThat(one.look(false)).as("after an incomplete sweep it may be so").isEmpty();
    }

    @Test
    void port0OfASwitchHasNoLink() {
        int port0 = FABRIC.portIndex(0, 0);
        OneAmongOthers inSwitch = new OneAmongOthers(FABRIC, port0, SETTINGS);
        inSwitch.start();
        inSwitch.says(port0, 5, 5, PortState.INIT);
        assertThat(inSwitch.look(true)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "MASTER, 1, true",
        "STANDBY, 1, true",
        "STANDBY, 77, true",
        // Each light sweep would find it again; it was told when it was found.
        "MASTER, 77, false"
    })
    void anotherMasterInTheOwnPortIsNewsUnlessItIsKnownToBeForeign(SmRole role, long key, boolean isNews) {
        ScriptedManager other = masterBeside(3, role);
        other.key = key;
        one.elect();
        one.says(5, 9);
        assertThat(one.look(true))
                .isEqualTo(isNews ? List.of("another subnet manager, at LID 9, has made itself master") : List.of());
    }

    // What a standby hears from the one that it follows.

    @ParameterizedTest
    @CsvSource({
        "MASTER, 9, STANDBY",
        "MASTER, 3, STANDBY",
        // One that is no master itself leads only whoever is lower.
        "STANDBY, 9, STANDBY",
        "DISCOVERING, 9, STANDBY",
        "STANDBY, 3, DISCOVERING",
        "NOT_ACTIVE, 9, DISCOVERING"
    })
    void aStandbyFollowsWhoIsMasterOrWillBe(SmRole role, int priority, SmRole after) {
        ScriptedManager master = standbyOf(9);
        master.role = role;
        master.priority = priority;
        one.loop.runFor(10 * SECOND);
        assertThat(role()).isEqualTo(after);
    }

    @Test
    void anAnswerOfAnotherPortIsNone() {
        ScriptedManager master = standbyOf(9);
        master.guid++;
        one.loop.runFor(10 * SECOND);
        assertThat(role()).isEqualTo(SmRole.DISCOVERING);
    }

    @Test
    void onlyPollsThatFailOneAfterTheOtherCount() {
        ScriptedManager master = standbyOf(9);
        for (int round = 0; round < 3; round++) {
            master.role = SmRole.NOT_ACTIVE;
            one.loop.runFor(POLL_RETRIES * SECOND);
            master.role = SmRole.MASTER;
            one.loop.runFor(SECOND);
        }
        assertThat(role()).isEqualTo(SmRole.STANDBY);
        master.role = SmRole.NOT_ACTIVE;
        one.loop.runFor((POLL_RETRIES + 1) * SECOND);
        assertThat(role()).isEqualTo(SmRole.DISCOVERING);
    }

    @Test
    void whoCanNotAskTakesItForSilence() {
        standbyOf(9);
        one.requests.close();
        untilLooksAgain();
    }

    @Test
    void whoLooksAgainPollsNoMoreOftenThanBefore() {
        ScriptedManager master = standbyOf(9);
        one.loop.runFor(SECOND / 2);
        one.told(SmInfo.DISCOVER, master.info());
        assertThat(role()).isEqualTo(SmRole.DISCOVERING);
        assertThat(one.sweeps).singleElement().asString().startsWith("asked to by");
        one.elect();
        assertThat(role()).isEqualTo(SmRole.STANDBY);
        master.asked = 0;
        one.loop.runFor(10 * SECOND + SECOND / 2);
        assertThat(master.asked).isEqualTo(10);
    }

    /** The question was on its way to the old master when somebody made us find the new one. */
    @Test
    void whatAnEarlierMasterAnswersSaysNothingOfTheOneThatIsFollowed() {
        ScriptedManager old = standbyOf(9);
        old.isSilent = true;
        old.asked = 0;
        assertThat(one.loop.runUntil(() -> old.asked > 0, 2 * SECOND)).isTrue();
        ScriptedManager master = one.other(SECOND_HOST, 8, SmRole.MASTER);
        one.told(SmInfo.DISCOVER, master.info());
        FoundSubnet found = one.discover();
        old.isSilent = false;
        old.role = SmRole.STANDBY;
        mastership.elect(found, verdict -> {});
        assertThat(one.loop.runUntil(() -> role() == SmRole.STANDBY, SECOND)).isTrue();
        one.loop.runFor(SECOND / 2);
        old.asked = 0;
        one.loop.runFor(5 * SECOND);
        assertThat(old.asked).isZero();
        assertThat(master.asked).isGreaterThan(4);
    }

    // What a Set leads to.

    @ParameterizedTest
    @CsvSource({"3, true", "9, false"})
    void aMasterTakesTheSubnetOfALowerMaster(int priority, boolean isTaken) {
        ScriptedManager other = masterBeside(priority, SmRole.MASTER);
        assertThat(one.set(SmInfo.HANDOVER, other.info())).isEqualTo(isTaken ? MadStatus.OK : MadStatus.BAD_VALUE);
        assertThat(one.sweeps).hasSize(isTaken ? 1 : 0).allMatch(why -> why.startsWith("handed over by"));
        assertThat(role()).isEqualTo(SmRole.MASTER);
    }

    @ParameterizedTest
    @EnumSource(
            value = SmRole.class,
            names = {"STANDBY", "NOT_ACTIVE"})
    void whoWasDiscoveringIsAskedUntilItIsSomethingElse(SmRole role) {
        ScriptedManager other = masterBeside(3, SmRole.DISCOVERING);
        ScriptedManager standby = one.other(SECOND_HOST, 2, SmRole.STANDBY);
        assertThat(one.elect()).isEqualTo(MASTER);
        one.loop.runFor(3 * SECOND + SECOND / 2);
        assertThat(other.asked).isEqualTo(4);
        other.role = role;
        one.loop.runFor(SECOND);
        assertThat(mastership.others()).extracting(OtherManager::role).containsExactlyInAnyOrder(role, SmRole.STANDBY);
        one.loop.runFor(60 * SECOND);
        assertThat(other.asked).isEqualTo(5);
        assertThat(standby.asked).as("by the sweep alone").isEqualTo(1);
        assertThat(one.sweeps).isEmpty();
    }

    @Test
    void whoIsSilentWhileItWasDiscoveringIsLeftToTheNextSweep() {
        ScriptedManager other = masterBeside(3, SmRole.DISCOVERING);
        one.elect();
        other.isSilent = true;
        one.loop.runFor(60 * SECOND);
        assertThat(other.asked).as("one poll, with what is sent again").isEqualTo(1 + 1 + 2);
        assertThat(mastership.others()).extracting(OtherManager::role).containsExactly(SmRole.DISCOVERING);
    }

    @Test
    void whoIsNoMasterAnyMoreAsksNobodyThatWasDiscovering() {
        ScriptedManager other = masterBeside(3, SmRole.DISCOVERING);
        one.elect();
        mastership.stop();
        one.loop.runFor(60 * SECOND);
        assertThat(other.asked).isEqualTo(1);
    }

    // The end.

    private AtomicInteger leave() {
        AtomicInteger ended = new AtomicInteger();
        mastership.leave(ended::incrementAndGet);
        return ended;
    }

    @Test
    void whoLeavesHandsOverToTheBestStandby() {
        ScriptedManager master = masterBeside(4, SmRole.MASTER);
        ScriptedManager standby = one.other(SECOND_HOST, 2, SmRole.STANDBY);
        ScriptedManager other = one.other(host(3), 1, SmRole.DISCOVERING);
        one.says(5, 5);
        one.elect();
        AtomicInteger ended = leave();
        one.loop.runFor(SECOND);
        assertThat(standby.sets).containsExactly(SmInfo.HANDOVER);
        assertThat(master.sets).as("it has a subnet already").isEmpty();
        assertThat(other.sets).isEmpty();
        assertThat(role()).isEqualTo(SmRole.NOT_ACTIVE);
        assertThat(one.roles)
                .last()
                .asString()
                .startsWith("not active: handed over to")
                .endsWith("before the end");
        assertThat(ended).hasValue(0);
        one.says(5, 9);
        one.loop.runFor(SECOND);
        assertThat(ended).as("the subnet has another master").hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"DISCOVERING, 1, 1", "NOT_ACTIVE, 1, 0", "MASTER, 1, 0", "STANDBY, 77, 0"})
    void nobodyElseIsHandedIt(SmRole role, long key, int handovers) {
        ScriptedManager other = masterBeside(3, role);
        other.key = key;
        one.elect();
        AtomicInteger ended = leave();
        assertThat(ended).hasValue(handovers == 0 ? 1 : 0);
        one.loop.runFor(SECOND / 2);
        assertThat(other.sets).hasSize(handovers);
    }

    @Test
    void whoDoesNotTakeItIsNotWaitedFor() {
        ScriptedManager other = masterBeside(3, SmRole.STANDBY);
        one.elect();
        other.refuses = true;
        AtomicInteger ended = leave();
        one.loop.runFor(SECOND / 10);
        assertThat(ended).hasValue(1);
        assertThat(role()).isEqualTo(SmRole.MASTER);
    }

    @Test
    void aSubnetThatGetsNoMasterIsNotWaitedForWithoutEnd() {
        masterBeside(3, SmRole.STANDBY);
        one.says(5, 5);
        one.elect();
        one.ownLooks = 0;
        AtomicInteger ended = leave();
        assertThat(one.loop.runUntil(() -> ended.get() > 0, 60 * SECOND)).isTrue();
        assertThat(one.ownLooks).isEqualTo(Mastership.LEAVE_POLLS);
        one.loop.runFor(SECOND);
        assertThat(ended).hasValue(1);
    }

    @Test
    void onceStoppedItAsksNothingAnyMore() {
        masterBeside(3, SmRole.STANDBY);
        one.says(5, 5);
        one.elect();
        leave();
        one.loop.runFor(SECOND / 2);
        mastership.stop();
        one.loop.runFor(SECOND / 20);
        one.ownLooks = 0;
        one.loop.runFor(5 * SECOND);
        assertThat(one.ownLooks).isZero();
    }

    @Test
    void whoLeavesDoesNotComeBack() {
        ScriptedManager other = masterBeside(3, SmRole.STANDBY);
        one.says(5, 5);
        one.elect();
        AtomicInteger ended = leave();
        one.loop.runFor(SECOND / 2);
        assertThat(one.set(SmInfo.TO_STANDBY, other.info())).isEqualTo(MadStatus.BAD_VALUE);
        assertThat(role()).isEqualTo(SmRole.NOT_ACTIVE);
        one.loop.runFor(5 * SECOND);
        assertThat(ended).hasValue(1);
    }

    @Test
    void whoCanNotSendLeavesAtOnce() {
        masterBeside(3, SmRole.STANDBY);
        one.elect();
        one.requests.close();
        assertThat(leave()).hasValue(1);
    }

    @Test
    void aStandbyLeavesAtOnce() {
        ScriptedManager master = standbyOf(9);
        assertThat(leave()).hasValue(1);
        assertThat(master.sets).isEmpty();
    }
}
