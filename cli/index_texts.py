"""What the daemon says of vector indexes, in Chinese."""

from collections.abc import Mapping

INDEX: Mapping[str, str] = {
    "the index {wanted} is wanted and {used} answers: {fault}": (
        "想用索引 {wanted}，目前由 {used} 应答：{fault}"
    ),
    "{backend} would be built beside {used}, then answer in its place": (
        "将在 {used} 之外建立 {backend}，完成后由它应答"
    ),
    "meanwhile it would take {size} MiB of memory more": "期间大约多占 {size} MiB 内存",
    "{backend} was begun {count} times, and each time the daemon ended before it was built": (
        "{backend} 已开始建立 {count} 次，每次都没建完守护进程就退出了"
    ),
    "see that it may take the memory it needs, then `memud job run reindex --backend {backend}`": (
        "请确认内存足够，然后用 `memud job run reindex --backend {backend}` 再试"
    ),
    "{backend} answers now": "现由 {backend} 应答",
    "{backend} is in use already": "{backend} 已在使用",
    "the job {name} takes no backend": "任务 {name} 不接受 --backend",
    "no index {name}": "没有索引 {name}",
    "{backend} is being built, {done} of {total} vectors": (
        "正在建立 {backend}：{total} 个向量中已完成 {done} 个"
    ),
    "{backend} is not built any more: another index was asked for": "已不再建立 {backend}：选用了其他索引",
    "the index {backend} may need {needed} MiB of disk, {free} MiB are free": (
        "索引 {backend} 可能需要 {needed} MiB 磁盘空间，目前只剩 {free} MiB"
    ),
    "the file of the index {backend} can't be written: {error}": "索引 {backend} 的文件无法写入：{error}",
    "the disk is full: the index {backend} can't be built": "磁盘已满：无法建立索引 {backend}",
    "the index {backend} can't be built: {error}": "无法建立索引 {backend}：{error}",
    "`reindex` alone does": "只有 `reindex` 接受",
    "free some space, then ask again": "请腾出空间，然后重试",
    "the index is built on after the next start": "下次启动后会继续建立索引",
    "look at the daemon's log": "请查看守护进程的日志",
    "`memud status` shows how far it is; ask again then, or for the one in use to give it up": (
        "进度见 `memud status`；可等它完成后再试，或指定正在使用的索引以放弃建立"
    ),
    "see that the disk has room, then ask again": "请确认磁盘有空间，然后重试",
    # Of sqlite-vss and faiss.
    "sqlite-vss has no library for {system} on {machine} that memud can load": (
        "sqlite-vss 没有可在 {machine} 上的 {system} 加载的库"
    ),
    "this apsw was built without loadable extensions": "这个 apsw 不支持加载扩展",
    "the package sqlite-vss is not installed": "没有安装软件包 sqlite-vss",
    "{path} is not that of sqlite-vss 0.1.2": "{path} 不是 sqlite-vss 0.1.2 的文件",
    "sqlite-vss needs a BLAS: the system has none, and faiss-cpu, which brings one, is not installed": (
        "sqlite-vss 需要 BLAS：系统中没有，自带 BLAS 的 faiss-cpu 也没有安装"
    ),
    "sqlite-vss does not load: {error}": "sqlite-vss 无法加载：{error}",
    "{folder} is not a folder that this user alone can write to": "{folder} 不是只有当前用户可写的目录",
    "the index file in {folder} can't be used: {error}": "{folder} 中的索引文件无法使用：{error}",
    "the package faiss-cpu can't be loaded: {error}": "无法加载软件包 faiss-cpu：{error}",
    "faiss {version} is too old for this index": "faiss {version} 版本过旧，无法用于这种索引",
    "{path} can't be read: {error}": "无法读取 {path}：{error}",
    'use index.backend = "exact" or "faiss"': '请改用 index.backend = "exact" 或 "faiss"',
    "use another index.backend on this machine": "请在这台机器上改用其他 index.backend",
    "install apsw from a wheel: pip install apsw": "请从 wheel 安装 apsw：pip install apsw",
    "see that the disk has room; deleting the folder is safe": "请确认磁盘有空间；可以放心删除该目录",
}
