/** What commands write: columns, YAML. Knows nothing of what it writes about. Next room: {@code org.railyard.cli}. */
@NullMarked
package org.railyard.cli.text;

import org.jspecify.annotations.NullMarked;
