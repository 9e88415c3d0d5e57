package org.railyard.lnet.select;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Explanation.Case;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Role;
import org.railyard.testkit.Requirement;

/** The cases of source and destination, in both profiles (spec 10 §8.2, §8.3, §8.9, §8.10). */
class CasesTest {
    private static final Settings LUSTRE = Settings.of(CompatProfile.LUSTRE);

    private final Rails rails = new Rails();

    private void lustre() {
        rails.settings = LUSTRE;
    }

    private void rails() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.0.1.1@tcp");
        rails.local("10.1.0.1@tcp1");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1@tcp, 10.0.0.2@tcp,  true,  A1C",
        "10.0.0.1@tcp, 10.0.0.2@tcp,  false, A1D",
        "10.0.0.1@tcp, 10.1.0.2@tcp1, true,  A2C",
        "10.0.0.1@tcp, 10.1.0.2@tcp1, false, A2D",
        "*,            10.0.0.2@tcp,  true,  B1C",
        "*,            10.0.0.2@tcp,  false, B1D",
        "*,            10.2.0.2@tcp2, true,  B2C",
        "*,            10.2.0.2@tcp2, false, B2D"
    })
    void cases(String source, String target, boolean multiRail, Case expected) {
        rails();
        if (multiRail) {
            rails.peer(target);
        } else {
            rails.old(target);
        }
        Explanation explanation = rails.explain(Rails.put(source, target));
        assertThat(explanation.pathCase()).isEqualTo(expected);
        boolean routed = expected.name().charAt(1) == '2';
        assertThat(explanation.status()).isEqualTo(routed ? -113 : 0);
        assertThat(rails.choose(Rails.put(source, target))).isEqualTo(routed ? "EHOSTUNREACH" : "0.1>0.2");
    }

    @Test
    @Requirement("rsl-104")
    void aNamedSourceMustBeOursAndUp() {
        rails();
        rails.peer("10.0.0.2@tcp");
        assertThat(rails.choose(Rails.put("10.0.7.1@tcp", "10.0.0.2@tcp"))).isEqualTo("EINVAL");
        rails.ni("10.0.0.1@tcp").fatal = true;
        assertThat(rails.choose(Rails.put("10.0.0.1@tcp", "10.0.0.2@tcp"))).isEqualTo("EHOSTUNREACH");
        lustre();
        assertThat(rails.choose(Rails.put("10.0.0.1@tcp", "10.0.0.2@tcp"))).isEqualTo("0.1>0.2");
        rails.ni("10.0.0.1@tcp").become(LocalNi.State.DELETING);
        assertThat(rails.choose(Rails.put("10.0.0.1@tcp", "10.0.0.2@tcp"))).isEqualTo("EHOSTUNREACH");
    }

    @Test
    void fromANamedSourceToTheBestNidOfThePeerOrToTheNamedOne() {
        rails();
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        rails.peerNi("10.0.0.2@tcp").health = 900;
        assertThat(rails.choose(Rails.put("10.0.1.1@tcp", "10.0.0.2@tcp"))).isEqualTo("1.1>1.2");
        lustre();
        assertThat(rails.choose(Rails.put("10.0.1.1@tcp", "10.0.0.2@tcp"))).isEqualTo("1.1>0.2");
    }

    @Test
    @Requirement("rsl-112")
    void theHealthiestNiOfAllNetsThatThePeerIsOn() {
        rails();
        rails.local("10.2.0.1@tcp2");
        rails.peer("10.0.0.2@tcp", "10.1.0.2@tcp1");
        String[] ways = {"0.1>0.2", "1.1>0.2", "0.1@1>0.2@1"};
        String[] nids = {"10.0.0.1@tcp", "10.0.1.1@tcp", "10.1.0.1@tcp1"};
        for (int best = 0; best < nids.length; best++) {
            for (int i = 0; i < nids.length; i++) {
                rails.ni(nids[i]).health = i == best ? 800 : 799;
            }
            assertThat(rails.choose("10.0.0.2@tcp", 2)).containsOnly(ways[best]);
        }
    }

    @Test
    @Requirement("rsl-079")
    void anNiWithAFatalErrorIsTheLastResortOrNone() {
        rails.local("10.0.0.1@tcp").fatal = true;
        rails.local("10.0.1.1@tcp").health = 0;
        rails.peer("10.0.0.2@tcp");
        assertThat(rails.choose("10.0.0.2@tcp", 2)).containsOnly("1.1>0.2");
        lustre();
        assertThat(rails.choose("10.0.0.2@tcp", 2)).containsOnly("1.1>0.2");
        rails.ni("10.0.1.1@tcp").fatal = true;
        rails.ni("10.0.0.1@tcp").health = 1;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsOnly("0.1>0.2");
        rails.settings = Settings.of(CompatProfile.DOCUMENTS);
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsOnly("EHOSTUNREACH");
    }

    @Test
    @Requirement("rsl-124")
    void healthZeroStaysUsableAsTheLastChoice() {
        rails.local("10.0.0.1@tcp").health = 0;
        rails.peer("10.0.0.2@tcp");
        rails.peerNi("10.0.0.2@tcp").health = 0;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("0.1>0.2");
    }

    @Test
    @Requirement("rsl-115")
    void aPeerIsReachedOverALocalNetEvenIfItsNamedNidIsFar() {
        rails();
        rails.peer("10.9.0.2@tcp9", "10.0.0.2@tcp");
        assertThat(rails.choose("10.9.0.2@tcp9", 1)).containsExactly("0.1>0.2");
    }

    @Test
    @Requirement("mrx-016")
    void noCommonNetAndNoRoute() {
        rails();
        rails.peer("10.9.0.2@tcp9");
        assertThat(rails.choose("10.9.0.2@tcp9", 1)).containsExactly("EHOSTUNREACH");
    }

    @Test
    @Requirement({"rsl-117", "rsl-119", "rsl-116"})
    void anOldPeerIsSentToFromTheNiThatItKnows() {
        rails.local("10.0.0.1@tcp").health = 500;
        rails.local("10.0.1.1@tcp");
        rails.old("10.0.0.2@tcp");
        assertThat(rails.choose("10.0.0.2@tcp", 3))
                .as("the healthy one, and then that")
                .containsOnly("1.1>0.2");
        rails.ni("10.0.1.1@tcp").health = 1;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("1.1>0.2");
        rails.ni("10.0.1.1@tcp").health = 0;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("EHOSTUNREACH");
        assertThat(rails.explain(Rails.put("10.0.0.2@tcp")).steps().getFirst().excluded())
                .containsExactly(new Explanation.Excluded("10.0.1.1@tcp", Reason.UNHEALTHY));
        rails.settings = LUSTRE;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("1.1>0.2");
        rails.ni("10.0.1.1@tcp").fatal = true;
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("1.1>0.2");
        rails.settings = Settings.of(CompatProfile.DOCUMENTS);
        assertThat(rails.choose("10.0.0.2@tcp", 1)).containsExactly("EHOSTUNREACH");
    }

    @Test
    @Requirement({"rsl-116", "rsl-109"})
    void anUnhealthyOldPeerGetsAFirstAttemptOnly() {
        rails();
        rails.old("10.0.0.2@tcp");
        rails.peerNi("10.0.0.2@tcp").health = 0;
        for (String source : new String[] {"*", "10.0.0.1@tcp"}) {
            Message message = Rails.put(source, "10.0.0.2@tcp");
            assertThat(rails.choose(message)).isEqualTo("0.1>0.2");
            assertThat(rails.again(message)).isEqualTo("EHOSTUNREACH");
            rails.peerNi("10.0.0.2@tcp").health = 1;
            assertThat(rails.again(message))
                    .as("the same way, it is the only one")
                    .isEqualTo("0.1>0.2");
            rails.peerNi("10.0.0.2@tcp").health = 0;
            rails.set(Tunable.NMR_FAIL_UNHEALTHY, false);
            assertThat(rails.again(message)).isEqualTo("0.1>0.2");
            rails.set(Tunable.NMR_FAIL_UNHEALTHY, true);
        }
    }

    @Test
    @Requirement("rsl-108")
    void aNamedSourceIsRememberedByAnOldPeerUnlessItAnswers() {
        rails();
        rails.old("10.0.0.2@tcp");
        assertThat(rails.choose(Rails.response("10.0.1.1@tcp", "10.0.0.2@tcp"))).isEqualTo("1.1>0.2");
        assertThat(rails.peerNi("10.0.0.2@tcp").peerNet.preferred).isNull();
        assertThat(rails.choose(Rails.put("10.0.1.1@tcp", "10.0.0.2@tcp"))).isEqualTo("1.1>0.2");
        assertThat(rails.choose("10.0.0.2@tcp", 2)).containsOnly("1.1>0.2");
    }

    @Test
    @Requirement("rsl-131")
    void aRecoveryPingGoesToItsVeryTargetFromAnyNi() {
        rails();
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        rails.peerNi("10.0.1.2@tcp").health = 100;
        for (String expected : new String[] {"0.1>1.2", "1.1>1.2", "0.1>1.2"}) {
            Message ping = Rails.unsent("*", "10.0.1.2@tcp");
            ping.become(Role.RECOVERY_PING);
            assertThat(rails.choose(ping)).isEqualTo(expected);
        }
    }

    @Test
    @Requirement("snd-045")
    void aResponseKeepsItsWayAsLongAsThatIsThere() {
        rails();
        rails.peer("10.0.0.2@tcp", "10.0.1.2@tcp");
        rails.ni("10.0.1.1@tcp").health = 0;
        rails.peerNi("10.0.1.2@tcp").health = 0;
        assertThat(rails.choose(Rails.response("10.0.1.1@tcp", "10.0.1.2@tcp"))).isEqualTo("1.1>1.2");
    }

    @Test
    @Requirement("snd-070")
    void aResponseMovesIfItsSourceIsGoneAndThePeerIsMultiRail() {
        rails();
        rails.peer("10.0.0.2@tcp", "10.1.0.2@tcp1");
        rails.old("10.0.0.3@tcp");
        rails.ni("10.0.0.1@tcp").fatal = true;
        assertThat(rails.choose(Rails.response("10.0.0.1@tcp", "10.0.0.2@tcp"))).isEqualTo("1.1>0.2");
        assertThat(rails.choose(Rails.response("10.0.9.9@tcp", "10.0.0.2@tcp"))).isEqualTo("1.1>0.2");
        assertThat(rails.choose(Rails.response("10.0.0.1@tcp", "10.0.0.3@tcp"))).isEqualTo("EHOSTUNREACH");
        assertThat(rails.choose(Rails.response("10.0.9.9@tcp", "10.0.0.3@tcp"))).isEqualTo("EINVAL");
        rails.set(Tunable.RESPONSE_SRC_FALLBACK, false);
        assertThat(rails.choose(Rails.response("10.0.0.1@tcp", "10.0.0.2@tcp"))).isEqualTo("EHOSTUNREACH");
        assertThat(rails.choose(Rails.response("10.0.9.9@tcp", "10.0.0.2@tcp"))).isEqualTo("EINVAL");
        rails.set(Tunable.RESPONSE_SRC_FALLBACK, true);
        rails.ni("10.0.1.1@tcp").fatal = true;
        assertThat(rails.choose(Rails.response("10.0.0.1@tcp", "10.0.0.2@tcp")))
                .as("not over another net")
                .isEqualTo("EHOSTUNREACH");
        lustre();
        assertThat(rails.choose(Rails.response("10.0.0.1@tcp", "10.0.0.2@tcp"))).isEqualTo("0.1>0.2");
    }

    @Test
    void addressFamilies() {
        rails.local("2001:db8::1@tcp");
        rails.peer("10.0.0.2@tcp");
        Explanation explanation = rails.explain(Rails.put("10.0.0.2@tcp"));
        assertThat(explanation.status()).isEqualTo(-113);
        assertThat(explanation.steps().getFirst().excluded())
                .containsExactly(new Explanation.Excluded("tcp", Reason.FAMILY));
        rails.local("10.0.0.1@tcp");
        rails.old("2001:db8::2@tcp");
        assertThat(rails.explain(Rails.put("2001:db8::2@tcp")).from())
                .as("its own family, if there is one")
                .hasToString("2001:db8::1@tcp");
    }
}
