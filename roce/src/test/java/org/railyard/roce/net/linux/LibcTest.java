package org.railyard.roce.net.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where the C library can not be called, it is said why, and what to do. */
class LibcTest {
    private static final SymbolLookup HERE = Linker.nativeLinker().defaultLookup();
    /** −EBADF. */
    private static final int NO_SUCH_FILE = -9;

    @Test
    void itCanBeCalledHere() {
        assertThat(Libc.obstacle()).isEmpty();
        assertThat(Libc.obstacle("Linux", "aarch64", true, () -> HERE)).isEmpty();
    }

    @Test
    void whySendingFailsIsTold() {
        assertThat(new Libc().sendMessages(-1, 0, 1)).isEqualTo(NO_SUCH_FILE);
        assertThat(new Libc().receiveMessages(-1, 0, 1)).isEqualTo(NO_SUCH_FILE);
    }

    @Test
    void otherSystems() {
        assertThat(Libc.obstacle("Mac OS X", "aarch64", true, () -> HERE))
                .contains("only Linux takes many packets in one call, and this is Mac OS X");
        assertThat(Libc.obstacle("Linux", "mips", true, () -> HERE).orElseThrow())
                .contains("this processor is mips");
    }

    @Test
    void notAllowed() {
        assertThat(Libc.obstacle("Linux", "amd64", false, () -> {
                            throw new AssertionError("looked at a library that may not be called");
                        })
                        .orElseThrow())
                .contains("--enable-native-access=org.railyard.roce");
    }

    @Test
    void functionsAreMissing() {
        SymbolLookup old = name -> name.endsWith("mmsg") ? Optional.empty() : HERE.find(name);
        assertThat(Libc.obstacle("Linux", "amd64", true, () -> old))
                .contains("the C library has no function sendmmsg, recvmmsg");
    }
}
