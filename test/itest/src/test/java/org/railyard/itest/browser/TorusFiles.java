package org.railyard.itest.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.railyard.itest.kit.Command;

/**
 * A torus as files.
 *
 * @param net what is cabled
 * @param conf where the torus begins
 */
record TorusFiles(Path net, Path conf) {
    /** Makes one of so many switches, such as 3x3x3, in a folder. */
    static TorusFiles in(Path folder, String size) {
        TorusFiles files = new TorusFiles(folder.resolve("torus.net"), folder.resolve("torus.conf"));
        Command made = Command.run(
                "fabric", "generate", "torus", size, "--out", files.net.toString(), "--conf", files.conf.toString());
        assertThat(made.exit()).as(made.err()).isZero();
        return files;
    }
}
