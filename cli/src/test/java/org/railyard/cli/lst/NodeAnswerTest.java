package org.railyard.cli.lst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;

final class NodeAnswerTest {
    private static String problem(String state, Errno errno) {
        return new NodeAnswer(Map.of("nid", "10.0.0.1@tcp", "state", state, "errno", errno.status())).problem();
    }

    @Test
    void aNodeThatLeftTheSessionIsToldWithWhatToDo() {
        assertThat(problem("unknown", Errno.ESRCH))
                .startsWith("10.0.0.1@tcp: is not in the session any more (ESRCH), because it heard nothing")
                .contains("'lst update_group --refresh GROUP'");
    }

    @Test
    void aNodeOfAnotherSessionIsToldWithWhatToDo() {
        assertThat(problem("busy", Errno.EBUSY))
                .startsWith("10.0.0.1@tcp: is in another session (EBUSY); 'lst ping --nodes 10.0.0.1@tcp' tells whose")
                .contains("'lst new_session --force NAME'");
        assertThat(new NodeAnswer(Map.of(
                                "nid", "10.0.0.1@tcp",
                                "state", "busy",
                                "errno", Errno.EBUSY.status(),
                                "session", "theirs"))
                        .problem())
                .startsWith("10.0.0.1@tcp: is in another session, 'theirs' (EBUSY); ");
    }

    @Test
    void otherProblemsAreToldByTheirErrno() {
        assertThat(problem("active", Errno.ESRCH)).isEqualTo("10.0.0.1@tcp: ESRCH (no match)");
        assertThat(problem("active", Errno.EBUSY)).isEqualTo("10.0.0.1@tcp: EBUSY (busy)");
        assertThat(problem("down", Errno.ETIMEDOUT)).isEqualTo("10.0.0.1@tcp: ETIMEDOUT (timed out)");
    }
}
