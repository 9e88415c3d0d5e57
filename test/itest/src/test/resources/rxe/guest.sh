#!/usr/bin/env bash
# Builds the first file system of a guest that has the kernel's rdma_rxe: guest.sh SOURCES KERNEL_ROOT OUT
#   SOURCES      folder with init and rxe-peer.c
#   KERNEL_ROOT  / or a folder into which a package linux-image-*-amd64 was unpacked
#   OUT          folder for vmlinuz and initrd.gz
set -euo pipefail
sources=$1 kernel_root=$2 out=$3
kernel=$(find "$kernel_root/boot" -maxdepth 1 -name 'vmlinuz-*' | sort -V | tail -1)
modules=$kernel_root/lib/modules/${kernel##*/vmlinuz-}
[[ -n $kernel && -d $modules ]] || { echo "no kernel with modules in $kernel_root" >&2; exit 1; }
# A package that was only unpacked has no list of what needs what.
if [[ ! -e $modules/modules.dep ]]; then
    depmod=$(PATH=$PATH:/usr/sbin:/sbin command -v depmod) || depmod="$(command -v busybox) depmod"
    $depmod -b "$kernel_root" "${kernel##*/vmlinuz-}"
fi

root=$out/root
mkdir -p "$root"/{bin,usr/bin,modules,tmp,etc/libibverbs.d}
gcc -O1 -Wall -Wextra -Werror -o "$root/usr/bin/rxe-peer" "$sources/rxe-peer.c" -lrdmacm -libverbs
cp "$sources/init" "$root/init"
chmod +x "$root/init"

# Modules in the order in which they can be loaded. Without crc32 the device can not be made.
for name in crc32_generic virtio_net virtio_pci rdma_rxe ib_uverbs rdma_ucm sch_netem sch_ingress cls_matchall act_mirred ifb; do
    line=$(grep -E "/$name\.ko[.a-z]*:" "$modules/modules.dep") || continue
    tr ' ' '\n' <<<"${line#*:}" | tac
    echo "${line%%:*}"
done | awk 'NF && !seen[$0]++' | while read -r file; do
    cp "$modules/$file" "$root/modules/"
    echo "${file##*/}"
done >"$root/modules/order"

cp "$(command -v busybox)" "$root/bin/busybox"
for tool in rdma tc; do
    cp "$(PATH=$PATH:/usr/sbin:/sbin command -v $tool)" "$root/usr/bin/$tool"
done
provider=$(find /usr/lib -name 'librxe-rdmav*.so' | head -1)
cp /etc/libibverbs.d/rxe.driver "$root/etc/libibverbs.d/"
{
    echo "$provider"
    # It fails at a busybox that needs no library.
    { ldd "$root"/usr/bin/* "$root/bin/busybox" "$provider" 2>/dev/null || true; } | grep -o '/[^ :]*\.so[^ :]*'
} | grep -v "^$root" | sort -u | while read -r library; do
    mkdir -p "$root${library%/*}"
    cp -L "$library" "$root$library"
done

(cd "$root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$out/initrd.gz"
cp "$kernel" "$out/vmlinuz"
