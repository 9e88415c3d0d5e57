package org.railyard.lnet.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.nid.Nid;

/** Where there is one way, it is taken without comparing; it is the one that comparing finds (spec 10 §8.4–§8.6). */
class OnlyWayTest {
    private final Rails rails = new Rails();

    /** What makes one way none, another one, or one of several. */
    enum Change {
        NONE(rails -> {}),
        ILL(rails -> {
            rails.ni("10.0.0.1@tcp").health = 0;
            rails.peerNi("10.0.0.2@tcp").health = 0;
        }),
        FATAL(rails -> rails.ni("10.0.0.1@tcp").fatal = true),
        FATAL_BUT_USED(rails -> {
            rails.ni("10.0.0.1@tcp").fatal = true;
            rails.set(Tunable.USE_FATAL_NI_AS_LAST_RESORT, true);
        }),
        DELETING(rails -> rails.ni("10.0.0.1@tcp").become(LocalNi.State.DELETING)),
        OTHER_NI(rails -> rails.local("10.0.1.1@tcp").health = 1000),
        OTHER_NET(rails -> rails.local("10.1.0.1@tcp1")),
        SICK_BESIDE_OTHER(rails -> {
            rails.ni("10.0.0.1@tcp").health = 1;
            rails.local("10.0.1.1@tcp");
        }),
        BOND(rails -> rails.bond("b0", BondPolicy.BALANCED, "10.0.0.1@tcp")),
        REMOTE_BOND(rails -> rails.remoteBond("r0", BondPolicy.BALANCED, "10.0.0.2@tcp")),
        GATEWAY(rails -> rails.route("tcp5", "10.0.0.2@tcp"));

        @SuppressWarnings("ImmutableEnumChecker") // The lambdas hold nothing.
        private final Consumer<Rails> change;

        Change(Consumer<Rails> change) {
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource
    void isTheOneThatComparingFinds(Change change) {
        rails.local("10.0.0.1@tcp");
        rails.peer("10.0.0.2@tcp");
        // What was chosen before says nothing.
        rails.peer("10.0.0.77@tcp", "10.9.0.77@tcp9");
        rails.peer("10.9.0.3@tcp9");
        rails.route("tcp9", "10.0.0.77@tcp");
        assertThat(rails.choose("10.9.0.3@tcp9", 1)).containsExactly("0.1>0.77");
        change.change.accept(rails);
        for (int i = 0; i < 3; i++) {
            Message message = Rails.put("10.0.0.2@tcp");
            Explanation expected = rails.explain(message);
            assertThat(rails.status(message, rails.peerNi("10.0.0.2@tcp"))).isEqualTo(expected.status());
            assertThat(message.ni() == null ? Nid.ANY : message.ni().nid()).isEqualTo(expected.from());
            assertThat(message.peerNi() == null ? Nid.ANY : message.peerNi().nid())
                    .isEqualTo(expected.to());
            assertThat(message.path().destination())
                    .isEqualTo(expected.status() == 0 ? Nid.parse("10.0.0.2@tcp") : Nid.ANY);
        }
    }

    @Test
    void itsTurnsAreCounted() {
        LocalNi ni = rails.local("10.0.0.1@tcp");
        rails.peer("10.0.0.2@tcp");
        rails.choose("10.0.0.2@tcp", 3);
        assertThat(ni.seq).isEqualTo(3);
        assertThat(rails.peerNi("10.0.0.2@tcp").seq).isEqualTo(3);
    }

    @Test
    void aResendThatHasUsedItTakesItAgain() {
        rails.local("10.0.0.1@tcp");
        rails.peer("10.0.0.2@tcp");
        Message message = Rails.put("10.0.0.2@tcp");
        assertThat(rails.choose(message)).isEqualTo("0.1>0.2");
        assertThat(rails.again(message)).isEqualTo("0.1>0.2");
        assertThat(message.path().hasUsed(rails.ni("10.0.0.1@tcp")))
                .as("begun again with")
                .isFalse();
    }
}
