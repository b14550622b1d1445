# The program for Windows: folder, portable zip and per-user installer. Not tested yet; see installer/README.md.
#   powershell -ExecutionPolicy Bypass -File installer\windows\build.ps1 [-Certificate THUMBPRINT]
# Needs Python 3.11 to 3.14 (py), Inno Setup 6.3 or newer, and the Windows SDK's signtool where something is signed.
param(
    [string] $Certificate = "",
    [string] $TimeServer = "http://timestamp.digicert.com"
)
$ErrorActionPreference = "Stop"
Set-StrictMode -Version Latest
$repo = (Resolve-Path (Join-Path $PSScriptRoot "..\..")).Path
$build = if ($env:PAVO_BUILD) { $env:PAVO_BUILD } else { Join-Path $repo "build" }
New-Item -ItemType Directory -Force -Path $build | Out-Null

function Invoke-Checked([string] $program, [string[]] $arguments) {
    & $program @arguments
    if ($LASTEXITCODE -ne 0) { throw "$program ended with status $LASTEXITCODE" }
}

function Add-Signature([string] $file) {
    if ($Certificate) {
        Invoke-Checked "signtool" @("sign", "/sha1", $Certificate, "/fd", "SHA256", "/tr", $TimeServer, "/td", "SHA256", $file)
    }
}

function Find-InnoSetup {
    $found = Get-Command "iscc" -ErrorAction SilentlyContinue
    if ($found) { return $found.Source }
    foreach ($folder in @(${env:ProgramFiles(x86)}, $env:ProgramFiles, (Join-Path $env:LOCALAPPDATA "Programs"))) {
        if ($folder) {
            $compiler = Join-Path $folder "Inno Setup 6\ISCC.exe"
            if (Test-Path $compiler) { return $compiler }
        }
    }
    throw "Inno Setup 6 is not here: https://jrsoftware.org/isdl.php"
}

# 1. the folder, with its programs signed before they go into archive and installer
Invoke-Checked "py" @((Join-Path $repo "installer\build.py"), "folder")
$folder = Join-Path $build "pavo"
Add-Signature (Join-Path $folder "pavo.exe")
Add-Signature (Join-Path $folder "pavo-run.exe")

# 2. it works
Invoke-Checked (Join-Path $folder "pavo-run.exe") @("--self-check")

# 3. the portable archive
Invoke-Checked "py" @((Join-Path $repo "installer\build.py"), "archive")

# 4. the installer
$version = (Select-String -Path (Join-Path $repo "core\__init__.py") -Pattern '^__version__ = "(.+)"').Matches[0].Groups[1].Value
Invoke-Checked (Find-InnoSetup) @("/DVersion=$version", "/DFolder=$folder", "/DOut=$build", (Join-Path $PSScriptRoot "pavo.iss"))
Add-Signature (Join-Path $build "pavo-$version-setup.exe")

Invoke-Checked "py" @((Join-Path $repo "installer\build.py"), "sums")
