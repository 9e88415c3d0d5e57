package org.railyard.cli.sm;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.control.DlcException;
import org.railyard.node.metrics.MetricsPages;

/** The pages of a subnet manager for those who watch, if they are asked for. */
final class SmPages implements AutoCloseable {
    private final @Nullable MetricsPages pages;

    private SmPages(@Nullable MetricsPages pages) {
        this.pages = pages;
    }

    /**
     * Listens.
     *
     * @param where port, or address and port; empty for nowhere
     * @throws FabricInputException if it can not
     */
    static SmPages listen(Optional<String> where, SmControl control) {
        if (where.isEmpty()) {
            return new SmPages(null);
        }
        try {
            return new SmPages(MetricsPages.start(
                    where.get(),
                    "railyard sm",
                    "the last sweep left the subnet as it shall be, or another subnet manager is master",
                    figures -> control.metrics().addTo(figures),
                    () -> control.metrics().health()));
        } catch (ErrnoException e) {
            throw new FabricInputException(DlcException.textOf(e), e);
        } catch (IOException e) {
            throw new FabricInputException("--metrics " + where.get() + ": " + e.getMessage(), e);
        }
    }

    /** Returns where they are, to be said behind other things; empty if nowhere. */
    String text() {
        return pages == null ? "" : ", metrics on port " + pages.port();
    }

    /** Returns the port where they are; empty if nowhere. */
    OptionalInt port() {
        return pages == null ? OptionalInt.empty() : OptionalInt.of(pages.port());
    }

    @Override
    public void close() {
        if (pages != null) {
            pages.close();
        }
    }
}
