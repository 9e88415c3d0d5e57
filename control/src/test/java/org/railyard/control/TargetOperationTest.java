package org.railyard.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;

/** What is told of a target that failed. */
final class TargetOperationTest {
    private static final Nid TARGET = Nid.parse("192.0.2.9@tcp");
    private static final List<Nid> LOCAL = List.of(Nid.parse("127.0.0.1@tcp"), Nid.parse("127.0.0.1@tcp1"));

    private static String told(Errno errno, String text, List<Nid> local) {
        return TargetOperation.failure(TARGET, new ErrnoException(errno, text), local);
    }

    @Test
    void theErrnoInWords() {
        assertThat(told(Errno.ECONNREFUSED, "ping of it: connection refused", LOCAL))
                .isEqualTo("192.0.2.9@tcp: connection refused (ECONNREFUSED)");
    }

    @Test
    void anAddressToWhichNoWayLeadsFromTheNi() {
        assertThat(told(Errno.EINVAL, "ping of 192.0.2.9@tcp: invalid argument", LOCAL))
                .isEqualTo("192.0.2.9@tcp: can not be dialled from 127.0.0.1@tcp: the system knows no way between the"
                        + " two addresses (EINVAL)");
        assertThat(told(Errno.EINVAL, "invalid argument", LOCAL.subList(1, 2)))
                .startsWith("192.0.2.9@tcp: its gateway can not be dialled");
    }

    @Test
    void anArgumentThatIsWrongInAnotherWay() {
        assertThat(told(Errno.EINVAL, "10.1.2.3@tcp is no NID of this node", LOCAL))
                .isEqualTo("192.0.2.9@tcp: 10.1.2.3@tcp is no NID of this node (EINVAL)");
    }
}
