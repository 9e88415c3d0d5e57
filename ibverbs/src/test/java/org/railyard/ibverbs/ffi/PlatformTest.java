package org.railyard.ibverbs.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsException.Code;

/** Machines whose layouts are not known, and libraries that are not there, are named as that. */
final class PlatformTest {
    @Test
    @Requirement("ibv-002")
    void onlyMachinesWhoseLayoutsAreKnown() {
        for (String processor : List.of("amd64", "x86_64", "aarch64")) {
            assertThatCode(() -> Platform.check("Linux", processor)).doesNotThrowAnyException();
        }
        // 32 bits, big-endian, and other systems.
        for (String processor : List.of("x86", "i386", "arm", "ppc64", "s390x", "riscv64", "")) {
            assertRefused("Linux", processor);
        }
        assertRefused("Windows 11", "amd64");
        assertRefused("Mac OS X", "aarch64");
        assertRefused("FreeBSD", "amd64");
    }

    private static void assertRefused(String system, String processor) {
        assertThatThrownBy(() -> Platform.check(system, processor))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(Code.EOPNOTSUPP))
                .hasMessageContaining(
                        "cards are used on Linux with x86-64 or aarch64 only; this is " + system + " on " + processor);
    }

    @Test
    @Requirement("ibv-003")
    void aLibraryThatIsNotInstalledIsNamedWithItsPackages() {
        assertThatThrownBy(() -> NativeVerbs.library("librailyard-nowhere.so.1"))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(Code.ENODEV))
                .hasMessageContaining("librailyard-nowhere.so.1 is not installed")
                .hasMessageContaining("Debian: libibverbs1 librdmacm1 ibverbs-providers; RHEL: rdma-core");
    }
}
